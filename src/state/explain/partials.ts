import type { PartialExplanation, PartialItem } from '../../contract/explain.ts';

/** Joins the partial explanations of one request. */
export interface Partials {
  add(news: readonly PartialExplanation[]): void;
  /** Everything so far; the lists keep growing. */
  all(): readonly PartialExplanation[];
}

/** Nothing yet. */
export function createPartials(): Partials {
  const explanations: PartialExplanation[] = [];
  return {
    add(news) {
      for (const [column, { target, items }] of news.entries()) {
        const known = (explanations[column] ??= { target, items: items.map(emptied) });
        for (const [index, item] of items.entries()) append(known.items[index], item);
      }
    },
    all: () => explanations,
  };
}

function emptied({ type }: PartialItem): PartialItem {
  return { type, scores: [] };
}

/** Items of one index are of one type; an item of another would be a defect of the service, and is left out. */
function append(known: PartialItem | undefined, { type, scores, margins = [] }: PartialItem): void {
  if (known?.type !== type) return;
  const list: unknown[] = known.scores;
  const marked = margins.some((margin) => margin !== null);
  if (marked) known.margins ??= list.map(() => null);
  const places = known.margins && placesOf(known.scores);
  for (const [at, score] of scores.entries()) {
    const before = places?.get(placeOf(score)) ?? list.length; // an exact score takes its estimate's place
    list[before] = score;
    if (known.margins) known.margins[before] = margins[at] ?? null;
  }
}

/** Where each place's estimate stands, in a list that has estimates. */
function placesOf(scores: PartialItem['scores']): Map<string, number> {
  return new Map(scores.map((score, at) => [placeOf(score), at]));
}

function placeOf({ score: _, ...place }: PartialItem['scores'][number]): string {
  return JSON.stringify(place);
}
