import type { Pooling } from '../../contract/embed.ts';
import { cosineTicks, dashesOf, pairName, type SimilarityFound } from '../../parts/similarity/similarity.ts';
import { insideWords } from './words.en.ts';
import { similarityWords } from '../../parts/similarity/words.en.ts';
import { fixedText, numberText } from '../../words/language.ts';
import { MADE_WITH } from '../../figures/drawing/content.ts';
import {
  createFigurePage,
  FACES,
  FIGURE_WIDTH,
  type FigurePage,
  heading,
  label,
  type Shape,
  type Typesetter,
  type VectorFigure,
} from '../../figures/drawing/figure.ts';
import { COLOURS } from '../../figures/colours.ts';

const MARGIN = 24;
const HEIGHT = 220;
/** Room for the numbers of the axes, points. */
const LEFT = 34;
const BOTTOM = 34;
/** Length of the line sample next to a pair's name, points. */
const SAMPLE = 36;

/** The lines of the page as a figure for print, with texts, model and pooling. */
export function similarityFigure({
  typesetter,
  found,
  pooling,
}: {
  readonly typesetter: Typesetter;
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
}): VectorFigure {
  const words = insideWords();
  const sheet = createFigurePage(typesetter, { width: FIGURE_WIDTH, margin: MARGIN });
  sheet.text(words.figure.lead, FACES.lead);
  sheet.text(words.figure.detail(similarityWords().poolings[pooling]), FACES.body, { colour: COLOURS.inkSoft });
  sheet.gap(14);
  sheet.add(chartShapes(found, pooling, sheet), HEIGHT + BOTTOM);
  for (const [pair] of found.pairs.entries()) sheet.add(legendRow(found, pair, { pooling, typesetter }), 16);
  sheet.gap(10);
  heading(sheet, words.figure.texts);
  found.texts.forEach((text, index) => sheet.text(`${numberText(index + 1)}  ${text}`, FACES.body, { lines: 2 }));
  sheet.gap(8);
  const facts = `${words.figure.model}: ${found.modelVersion} · ${MADE_WITH}`;
  sheet.text(facts, FACES.small, { colour: COLOURS.inkSoft });
  return sheet.figure(similarityWords().chart);
}

/** Axes with their numbers, and a line for each pair. */
function chartShapes(found: SimilarityFound, pooling: Pooling, { typesetter, width }: FigurePage): Shape[] {
  const ticks = cosineTicks(found, pooling);
  const [low, high] = [ticks[0] ?? -1, ticks.at(-1) ?? 1];
  const x = (layer: number) => LEFT + (found.lastLayer === 0 ? 0 : (layer / found.lastLayer) * (width - LEFT - 8));
  const y = (value: number) => 6 + (1 - (value - low) / (high - low)) * (HEIGHT - 12);
  const style = { face: FACES.small, colour: COLOURS.inkSoft, typesetter };
  const grid = ticks.flatMap((value): Shape[] => [
    {
      kind: 'rule',
      left: LEFT,
      top: y(value),
      width: width - LEFT,
      thickness: 0.5,
      colour: COLOURS.line,
      isBroken: false,
    },
    label(fixedText(value, 1), { right: LEFT - 6, baseline: y(value) + 3.5 }, style),
  ]);
  const layers = found.cosines[pooling].map((_, layer) =>
    label(numberText(layer), { middle: x(layer), baseline: HEIGHT + 12 }, style),
  );
  const axis = label(similarityWords().axis, { middle: (LEFT + width) / 2, baseline: HEIGHT + 26 }, style);
  const lines = found.pairs.map((_, pair) =>
    pairLine(
      pair,
      found.cosines[pooling].map((values, layer) => [x(layer), y(values[pair] ?? 0)]),
    ),
  );
  return [...grid, ...layers, axis, ...lines];
}

/** A sample of a pair's line, its name, and its first and last value. */
function legendRow(
  found: SimilarityFound,
  pair: number,
  { pooling, typesetter }: { readonly pooling: Pooling; readonly typesetter: Typesetter },
): Shape[] {
  const at = (layer: number) => fixedText(found.cosines[pooling][layer]?.[pair] ?? 0, 2);
  const text = `${pairName(found, pair)}: ${at(0)} → ${at(found.lastLayer)}`;
  const place = { left: LEFT + SAMPLE + 10, baseline: typesetter.baseline(FACES.number) };
  const sample = [
    [LEFT, 8],
    [LEFT + SAMPLE, 8],
  ] as const;
  return [pairLine(pair, sample), label(text, place, { face: FACES.number, typesetter })];
}

function pairLine(pair: number, points: readonly (readonly [number, number])[]): Shape {
  return { kind: 'path', thickness: 1.5, colour: COLOURS.ink, dashes: dashesOf(pair), points };
}
