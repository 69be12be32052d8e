import { largestIn, type ScoreView } from '../../src/explanations/influence.ts';
import { addLegend, type DrawnText, textBlock } from '../../src/figures/drawing/heat.ts';
import { createFigurePage, FACES, FIGURE_WIDTH, type VectorFigure } from '../../src/figures/drawing/figure.ts';
import { heatDataOf } from '../../src/figures/elements/heat-data.ts';
import { escaped, htmlPage } from '../../src/figures/writers/html-page.ts';
import { textHtml } from '../../src/figures/writers/html.ts';
import { svgOf } from '../../src/figures/writers/svg.ts';
import { readScores } from '../../src/formats/read-scores.ts';
import { estimatedTypesetter } from './estimated-typesetter.ts';

/** Files that scores are rendered as. */
export type Rendering = 'html' | 'svg';

/** A heat map, and the name of its target; null where the scores have no names of targets. */
interface NamedMap {
  readonly name: string | null;
  readonly content: DrawnText;
}

const MARGIN = 24;

/**
 * The heat map of scores, in one file without script or reference: of all targets together, and of each where there are several.
 *
 * @param value  of JSON, in a format that `readScores` knows
 * @throws {RangeError} with the place, the expectation and the value
 */
export function renderScores(value: unknown, rendering: Rendering): string {
  const { text, scores, targets, unit } = readScores(value);
  const { influence } = heatDataOf(text, scores, targets, unit);
  const mapOf = (view: ScoreView): DrawnText => ({ outcome: { influence, question: { prompt: text } }, view, unit });
  const whole = { name: targets.length === 0 ? null : targets.join(''), content: mapOf('whole') };
  const each = scores.length < 2 ? [] : scores.map((_, at) => ({ name: targets[at] ?? null, content: mapOf(at) }));
  const maps = [whole, ...each];
  const title = `Scores of ${scores.length === 1 ? 'a text' : `a text for ${scores.length} targets`}`;
  if (rendering === 'svg') return svgOf(figureOf(maps, title));
  const body = maps.map(
    ({ name, content }) => `${name === null ? '' : `<h2>${escaped(quoted(name))}</h2>`}${textHtml(content)}`,
  );
  return htmlPage({ title, lang: 'en', body: [`<h1>${escaped(title)}</h1>`, ...body] });
}

function figureOf(maps: readonly NamedMap[], title: string): VectorFigure {
  const page = createFigurePage(estimatedTypesetter, { width: FIGURE_WIDTH, margin: MARGIN });
  for (const { name, content } of maps) {
    if (name !== null) page.text(quoted(name), FACES.strong);
    const { shapes, height } = textBlock(content, { typesetter: page.typesetter, face: FACES.text, width: page.width });
    page.add(shapes, height + 8);
    addLegend(page, largestIn(content.outcome.influence.prompt, content.view), content.unit);
    page.gap(MARGIN / 2);
  }
  return page.figure(title);
}

function quoted(name: string): string {
  return `‘${name}’`;
}
