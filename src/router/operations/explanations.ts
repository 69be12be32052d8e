import type { Explanation, ExplainRequest, PartialExplanation, Postprocessing } from '../../contract/explain.ts';
import type { Estimated, Explained, ExplainedPart, ExplainedPlan } from '../../protocol/target-jobs.ts';
import type { Pause } from '../pause.ts';
import { itemCount, itemShapes, ofItem, type Scored, withMargins } from './item-shapes.ts';
import { postprocessed, scaledToUnit } from './scores.ts';

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
  const part: ExplainedPart = { ...explained, plan: explained, sections: [...explained.sections.keys()] };
  const explanations: Explanation[] = [];
  for (const column of columnsOf(explained, request)) {
    const scored = scoredIn(column, part, request);
    const scores = request.normalize ? normalised(scored) : scored;
    const written = items.map(({ whole }, index) => {
      const own = ofItem(index, scores);
      return explained.estimated ? withMargins(whole(own), own) : whole(own);
    });
    explanations.push({ target: column.target, items: written });
    await pause();
  }
  return explanations;
}

/** The scores since the last progress, never normalised: least and greatest are not known yet. */
export function partialExplanationsOf(explained: ExplainedPart, request: ExplainRequest): PartialExplanation[] {
  const items = itemShapes(request);
  return columnsOf(explained.plan, request).map((column) => {
    const scored = scoredIn(column, explained, request);
    const written = items.map(({ part }, index) => {
      const own = ofItem(index, scored);
      return explained.estimated ? withMargins(part(own), own) : part(own);
    });
    return { target: column.target, items: written };
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

/** Sections of the target at or behind an explained token say nothing about it, and are left out. */
function scoredIn({ tokens }: Column, explained: ExplainedPart, request: ExplainRequest): Scored[] {
  const { plan, sections, influence, estimated } = explained;
  const margins = estimated ? marginsIn(estimated, plan, { tokens, request }) : new Map<number, number>();
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const targetItem = itemCount(request);
  return sections.flatMap((index, row) => {
    const section = plan.sections[index];
    if (!section) throw new RangeError(`expected a section below ${plan.sections.length}, got ${index}`);
    if (section.item === targetItem && (section.index ?? 0) >= (tokens[0] ?? 0)) return [];
    const score = sumOf(influence, row * width, tokens, request.postprocessing);
    return [{ section, score, margin: margins.get(index) ?? null }];
  });
}

interface ColumnAsked {
  readonly tokens: Column['tokens'];
  readonly request: ExplainRequest;
}

/** Margins of estimated sections for the whole target, or for one of its tokens. */
function marginsIn(
  { sections, margins: { whole, tokens } }: Estimated,
  { targetTokens }: ExplainedPlan,
  { tokens: [first = 0], request }: ColumnAsked,
): Map<number, number> {
  const isComplete = request.target_granularity === 'complete';
  return new Map(
    sections.map((section, at) => [
      section,
      (isComplete ? whole[at] : tokens[at * targetTokens.length + first]) ?? Number.NaN,
    ]),
  );
}

function sumOf(influence: Float64Array, start: number, tokens: readonly number[], postprocessing: Postprocessing) {
  return tokens.reduce((sum, token) => sum + postprocessed(influence[start + token] ?? 0, postprocessing), 0);
}

/** Scores of one list, the least 0 and the greatest 1. */
export function normalised(scored: readonly Scored[]): Scored[] {
  const scaled = scaledToUnit(scored.map(({ score }) => score));
  return scored.map((each, i) => ({ ...each, score: scaled[i] ?? 0 }));
}
