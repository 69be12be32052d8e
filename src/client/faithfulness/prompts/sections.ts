import type { ExplainBody, Explanation, ExplanationItem } from '../../../contract/explain.ts';
import type { PromptItem } from '../../../contract/prompt.ts';

/** Where a section lies in its prompt item. */
export type Place =
  /** Code points. */
  | { readonly type: 'text'; readonly start: number; readonly length: number }
  | { readonly type: 'token_ids'; readonly index: number }
  | { readonly type: 'image'; readonly rect: Rect };

/** 0 … 1 of the whole picture. */
interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A section of the prompt. */
export interface PlacedSection {
  /** Index of the prompt item. */
  readonly item: number;
  readonly place: Place;
}

/** Sections in the order of the prompt, and how much each supports the target, nats. */
export interface ScoredSections {
  readonly sections: readonly PlacedSection[];
  readonly scores: readonly number[];
}

/** A prompt as items. */
export function itemsOf(prompt: ExplainBody['prompt']): readonly PromptItem[] {
  return typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
}

/**
 * Sections and scores of an answer. Explanations of single tokens add up; where the request strengthens sections, signs are
 * turned, so that a score always says how much a section supports the target.
 *
 * @throws {RangeError} when the explanations do not fit the request, or its scores were postprocessed or scaled
 */
export function scoredSections(request: ExplainBody, explanations: readonly Explanation[]): ScoredSections {
  const { postprocessing = 'none', normalize = false, control_factor: factor = 0.1 } = request;
  if (postprocessing !== 'none' || normalize)
    throw new RangeError('expected scores in nats, got a request with "postprocessing" or "normalize"');
  const lists = explanations.map(({ items }) => listOf(items, itemsOf(request.prompt)));
  const [first] = lists;
  if (!first || lists.some(({ length }) => length !== first.length))
    throw new RangeError('expected explanations with the same sections');
  const turn = factor > 1 ? -1 : 1;
  const total = (at: number) => lists.reduce((sum, list) => sum + (list[at]?.score ?? 0), 0);
  return {
    sections: first.map(({ item, place }) => ({ item, place })),
    scores: first.map((_, at) => turn * total(at)),
  };
}

interface Entry extends PlacedSection {
  readonly score: number;
}

/** The last item is the target. */
function listOf(items: readonly ExplanationItem[], prompt: readonly PromptItem[]): Entry[] {
  return prompt.flatMap(({ type }, item) => {
    const found = items[item];
    if (found?.type !== type)
      throw new RangeError(`expected scores of "${type}" for item ${item}, got ${found?.type ?? 'nothing'}`);
    return entriesOf(found, item);
  });
}

function entriesOf(found: ExplanationItem, item: number): Entry[] {
  switch (found.type) {
    case 'text':
      return found.scores.map(({ start, length, score }) => ({ item, place: { type: 'text', start, length }, score }));
    case 'image':
      return found.scores.map(({ rect, score }) => ({ item, place: { type: 'image', rect }, score }));
    case 'token_ids':
      return found.scores.map((score, index) => ({ item, place: { type: 'token_ids', index }, score }));
    case 'target':
      return [];
  }
}
