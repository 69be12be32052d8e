import { codePointMap, type CodePointMap } from '../../contract/code-points.ts';
import type { ExplainRequest, ExplanationItem, PartialItem } from '../../contract/explain.ts';
import type { PromptItem } from '../../contract/prompt.ts';
import type { ExplainedSection } from '../../protocol/target-jobs.ts';

/** A section with its score in one explanation. */
export interface Scored {
  readonly section: ExplainedSection;
  readonly score: number;
  /** How far an estimate may be off, nats; null: the score is exact. */
  readonly margin: number | null;
}

/** An item with the margins of its scores. */
export function withMargins<Item extends ExplanationItem | PartialItem>(item: Item, scored: readonly Scored[]): Item {
  return { ...item, margins: scored.map(({ margin }) => margin) };
}

/** The scores of one item. */
export function ofItem(item: number, scored: readonly Scored[]): Scored[] {
  return scored.filter(({ section }) => section.item === item);
}

/** How the scores of one item are written. */
export interface ItemShape {
  whole(scored: readonly Scored[]): ExplanationItem;
  part(scored: readonly Scored[]): PartialItem;
}

/** How scores are written, for each item of the prompt and then for the target. */
export function itemShapes({ prompt, target }: ExplainRequest): ItemShape[] {
  const items: readonly PromptItem[] = typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
  return [...items.map(itemShape), textShape('target', target)];
}

/** Items of the prompt; the index of the target as an item. */
export function itemCount({ prompt }: ExplainRequest): number {
  return typeof prompt === 'string' ? 1 : prompt.length;
}

function itemShape(item: PromptItem): ItemShape {
  if (item.type === 'text') return textShape('text', item.data);
  if (item.type === 'image') return same((scored) => ({ type: 'image', scores: rectangles(scored) }));
  return {
    whole: (scored) => ({ type: 'token_ids', scores: scored.map(({ score }) => score) }),
    part: (scored) => ({
      type: 'token_ids',
      scores: scored.map(({ section, score }) => ({ index: section.index ?? 0, score })),
    }),
  };
}

function textShape(type: 'text' | 'target', text: string): ItemShape {
  const map = codePointMap(text);
  return same((scored) => ({ type, scores: stretches(scored, map) }));
}

/** Items that have one shape, whether or not all their scores are known. */
function same(write: (scored: readonly Scored[]) => ExplanationItem & PartialItem): ItemShape {
  return { whole: write, part: write };
}

function stretches(scored: readonly Scored[], map: CodePointMap) {
  return scored.flatMap(({ section: { span }, score }) => (span ? [{ ...map.toCodePoints(span), score }] : []));
}

function rectangles(scored: readonly Scored[]) {
  return scored.flatMap(({ section: { rect }, score }) => (rect ? [{ rect: { ...rect }, score }] : []));
}
