import { codePointMap, type CodePointMap } from '../../contract/code-points.ts';
import type {
  Explanation,
  ExplainRequest,
  ExplanationItem,
  PartialExplanation,
  PartialItem,
  Postprocessing,
} from '../../contract/explain.ts';
import type { PromptItem } from '../../contract/prompt.ts';
import type { Explained, ExplainedPart, ExplainedPlan, ExplainedSection } from '../../protocol/target-jobs.ts';
import type { Pause } from '../pause.ts';
import { postprocessed, scaledToUnit } from './scores.ts';

/** A section with its score in one explanation. */
interface Scored {
  readonly section: ExplainedSection;
  readonly score: number;
}

/**
 * An explanation's numbers in the shape of the contract. `complete` sums over the target's tokens, after postprocessing.
 *
 * @source contract facts §1.5
 */
export async function explanationsOf(
  explained: Explained,
  request: ExplainRequest,
  pause: Pause,
): Promise<Explanation[]> {
  const items = itemShapes(request);
  const rows = [...explained.sections.keys()];
  const explanations: Explanation[] = [];
  for (const column of columnsOf(explained, request)) {
    const scored = scoredIn(column, { plan: explained, rows, influence: explained.influence }, request);
    const scores = request.normalize ? normalised(scored) : scored;
    explanations.push({ target: column.target, items: items.map(({ whole }, index) => whole(of(index, scores))) });
    await pause();
  }
  return explanations;
}

/** The scores since the last progress, never normalised: least and greatest are not known yet. */
export function partialExplanationsOf(
  { plan, sections: rows, influence }: ExplainedPart,
  request: ExplainRequest,
): PartialExplanation[] {
  const items = itemShapes(request);
  return columnsOf(plan, request).map((column) => {
    const scored = scoredIn(column, { plan, rows, influence }, request);
    return { target: column.target, items: items.map(({ part }, index) => part(of(index, scored))) };
  });
}

/** One explanation: the whole target, or one of its tokens. */
interface Column {
  readonly target: string;
  /** Indices of the target tokens that it sums over. */
  readonly tokens: readonly number[];
}

function columnsOf({ targetTokens }: ExplainedPlan, { target, target_granularity: granularity }: ExplainRequest) {
  if (granularity === 'complete') return [{ target, tokens: [...targetTokens.keys()] }];
  return targetTokens.map((text, token): Column => ({ target: text, tokens: [token] }));
}

interface Rows {
  readonly plan: ExplainedPlan;
  /** Index of each row's section. */
  readonly rows: readonly number[];
  /** `[rows, target tokens]` */
  readonly influence: Float64Array;
}

/** Sections of the target at or behind an explained token say nothing about it, and are left out. */
function scoredIn({ tokens }: Column, { plan, rows, influence }: Rows, request: ExplainRequest): Scored[] {
  const width = plan.targetTokens.length;
  const targetItem = itemCount(request);
  return rows.flatMap((index, row) => {
    const section = plan.sections[index];
    if (!section) throw new RangeError(`expected a section below ${plan.sections.length}, got ${index}`);
    if (section.item === targetItem && (section.index ?? 0) >= (tokens[0] ?? 0)) return [];
    return [{ section, score: sumOf(influence, row * width, tokens, request.postprocessing) }];
  });
}

function sumOf(influence: Float64Array, start: number, tokens: readonly number[], postprocessing: Postprocessing) {
  return tokens.reduce((sum, token) => sum + postprocessed(influence[start + token] ?? 0, postprocessing), 0);
}

function normalised(scored: readonly Scored[]): Scored[] {
  const scaled = scaledToUnit(scored.map(({ score }) => score));
  return scored.map(({ section }, i) => ({ section, score: scaled[i] ?? 0 }));
}

function of(item: number, scored: readonly Scored[]): Scored[] {
  return scored.filter(({ section }) => section.item === item);
}

/** How the scores of one item are written. */
interface ItemShape {
  whole(scored: readonly Scored[]): ExplanationItem;
  part(scored: readonly Scored[]): PartialItem;
}

function itemShapes({ prompt, target }: ExplainRequest): ItemShape[] {
  const items: readonly PromptItem[] = typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
  return [...items.map(itemShape), textShape('target', target)];
}

function itemCount({ prompt }: ExplainRequest): number {
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
