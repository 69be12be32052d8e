import { createHash } from 'node:crypto';
import { largestIn, type ScoreView } from '../../src/explanations/influence.ts';
import { addLegend, type DrawnText, textBlock } from '../../src/figures/drawing/heat.ts';
import { createFigurePage, FACES, FIGURE_WIDTH } from '../../src/figures/drawing/figure.ts';
import { heatDataOf } from '../../src/figures/elements/heat-data.ts';
import { escaped, htmlPage } from '../../src/figures/writers/html-page.ts';
import { textHtml } from '../../src/figures/writers/html.ts';
import { svgOf } from '../../src/figures/writers/svg.ts';
import { readScores } from '../../src/formats/read-scores.ts';
import { estimatedTypesetter } from './estimated-typesetter.ts';

/** A heat map, and the name of its target; null where the scores have no names of targets. */
interface NamedMap {
  readonly name: string | null;
  readonly content: DrawnText;
}

const MARGIN = 24;

/** What is drawn of scores: the heat map of all targets together, then that of each where there are several. */
interface Drawn extends ReturnType<typeof readScores> {
  readonly title: string;
  readonly maps: readonly NamedMap[];
}

/** @throws {RangeError} with the place, the expectation and the value */
function drawnOf(value: unknown): Drawn {
  const read = readScores(value);
  const { text, scores, targets, unit } = read;
  const { influence } = heatDataOf(text, scores, targets, unit);
  const mapOf = (view: ScoreView): DrawnText => ({ outcome: { influence, question: { prompt: text } }, view, unit });
  const whole = { name: targets.length === 0 ? null : targets.join(''), content: mapOf('whole') };
  const each = scores.length < 2 ? [] : scores.map((_, at) => ({ name: targets[at] ?? null, content: mapOf(at) }));
  const title = `Scores of ${scores.length === 1 ? 'a text' : `a text for ${scores.length} targets`}`;
  return { ...read, title, maps: [whole, ...each] };
}

/**
 * The heat maps of scores as one HTML file without reference.
 *
 * @param value   of JSON, in a format that `readScores` knows
 * @param module  what the file runs; default: nothing
 * @throws {RangeError} as `readScores`
 */
export function scoresHtml(value: unknown, module?: string): string {
  const { title, maps } = drawnOf(value);
  const body = maps.map(
    ({ name, content }) => `${name === null ? '' : `<h2>${escaped(quoted(name))}</h2>`}${textHtml(content)}`,
  );
  return pageOf(title, body, module);
}

/**
 * One heat map in an HTML file without reference, whose reader chooses the target and sees the numbers.
 *
 * @param value    of JSON, in a format that `readScores` knows
 * @param element  the module of `lightwell-heat-map`, which the file runs
 * @throws {RangeError} as `readScores`
 */
export function interactiveHtml(value: unknown, element: string): string {
  const { title, text, scores, targets, unit } = drawnOf(value);
  const properties = JSON.stringify({ text, scores, targets, unit }).replaceAll('<', String.raw`\u003c`);
  const module = `${element}\nObject.assign(document.querySelector('lightwell-heat-map'), ${properties});\n`;
  return pageOf(title, ['<lightwell-heat-map></lightwell-heat-map>'], module);
}

function pageOf(title: string, body: readonly string[], module: string | undefined): string {
  const script = module === undefined ? null : { module, hash: createHash('sha256').update(module).digest('base64') };
  return htmlPage({ title, lang: 'en', body: [`<h1>${escaped(title)}</h1>`, ...body], script });
}

/** Heat maps as an SVG file. @param value  of a format that `readScores` knows @throws {RangeError} as that does */
export function scoresSvg(value: unknown): string {
  const { title, maps } = drawnOf(value);
  const page = createFigurePage(estimatedTypesetter, { width: FIGURE_WIDTH, margin: MARGIN });
  for (const { name, content } of maps) {
    if (name !== null) page.text(quoted(name), FACES.strong);
    const { shapes, height } = textBlock(content, { typesetter: page.typesetter, face: FACES.text, width: page.width });
    page.add(shapes, height + 8);
    addLegend(page, largestIn(content.outcome.influence.prompt, content.view), content.unit);
    page.gap(MARGIN / 2);
  }
  return svgOf(page.figure(title));
}

function quoted(name: string): string {
  return `‘${name}’`;
}
