import type { ExplainBody, Explanation, ExplanationItem, ImageScore } from '../../contract/explain.ts';
import { withoutSpans } from '../../contract/code-points.ts';
import type { PromptItem } from '../../contract/prompt.ts';

/** A section of the prompt: the index of its prompt item, and its place there. Text counts code points. */
export interface PlacedSection {
  readonly item: number;
  readonly place:
    | { readonly type: 'text'; readonly start: number; readonly length: number }
    | { readonly type: 'token_ids'; readonly index: number }
    | { readonly type: 'image'; readonly rect: ImageScore['rect'] };
}

/** The items of a prompt, one for a plain string. */
export function itemsOf(prompt: ExplainBody['prompt']): readonly PromptItem[] {
  return typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
}

/**
 * Sections of an answer in the order of the prompt, and how much each supports the target, nats. Explanations of single
 * tokens add up; if the request strengthens attention to sections, signs are reversed.
 *
 * @throws {RangeError} when the explanations do not fit the request, or its scores were postprocessed or scaled
 */
export function scoredSections(
  request: ExplainBody,
  explanations: readonly Explanation[],
): { readonly sections: readonly PlacedSection[]; readonly scores: readonly number[] } {
  const { postprocessing = 'none', normalize = false, control_factor: factor = 0.1 } = request;
  if (postprocessing !== 'none' || normalize)
    throw new RangeError('expected scores in nats, got a request with "postprocessing" or "normalize"');
  const lists = explanations.map(({ items }) => listOf(items, itemsOf(request.prompt)));
  const [first] = lists;
  if (!first || lists.some(({ length }) => length !== first.length))
    throw new RangeError('expected explanations with the same sections');
  const turn = isByAttention(request) && factor > 1 ? -1 : 1;
  const total = (at: number) => lists.reduce((sum, list) => sum + (list[at]?.score ?? 0), 0);
  return {
    sections: first.map(({ item, place }) => ({ item, place })),
    scores: first.map((_, at) => turn * total(at)),
  };
}

/** Whether a request scales attention; other methods have no use for the factor. */
export function isByAttention({ method }: Pick<ExplainBody, 'method'>): boolean {
  return (method ?? 'attention') === 'attention';
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

/** Factor for requests that strengthen sections; one below 1 suppresses them itself. */
const SUPPRESSING = 0.1;

/** The prompt with a control on each of these sections, besides those that it has. */
export function suppressed(request: ExplainBody, sections: readonly PlacedSection[]): PromptItem[] {
  const { control_factor: requested = SUPPRESSING, control_token_overlap: token_overlap = 'partial' } = request;
  const factor = requested < 1 ? requested : SUPPRESSING;
  return itemsOf(request.prompt).map((prompt, item) => {
    const places = sections.filter((section) => section.item === item).map(({ place }) => place);
    if (prompt.type === 'text') {
      const added = places.flatMap((place) =>
        place.type === 'text' ? [{ start: place.start, length: place.length, factor, token_overlap }] : [],
      );
      return { ...prompt, controls: [...(prompt.controls ?? []), ...added] };
    }
    if (prompt.type === 'image') {
      const added = places.flatMap((place) =>
        place.type === 'image' ? [{ rect: place.rect, factor, token_overlap }] : [],
      );
      return { ...prompt, controls: [...(prompt.controls ?? []), ...added] };
    }
    const added = places.flatMap((place) => (place.type === 'token_ids' ? [{ index: place.index, factor }] : []));
    return { ...prompt, controls: [...(prompt.controls ?? []), ...added] };
  });
}

/** Whether sections can be deleted: nothing can be cut out of a picture, and controls would lose their places. */
export function canDelete({ prompt }: ExplainBody): boolean {
  return itemsOf(prompt).every(({ type, controls }) => type !== 'image' && !controls?.length);
}

/** The prompt without these sections and the white space after each; a line break where nothing is left. Only if `canDelete`. */
export function deleted(request: ExplainBody, sections: readonly PlacedSection[]): PromptItem[] {
  const left = itemsOf(request.prompt)
    .map((prompt, item): PromptItem => {
      const places = sections.filter((section) => section.item === item).map(({ place }) => place);
      if (prompt.type === 'text') {
        const spans = places.flatMap((place) => (place.type === 'text' ? [place] : []));
        return { type: 'text', data: withoutSpans([...prompt.data], spans) };
      }
      if (prompt.type === 'image') throw new RangeError('expected a prompt without pictures');
      const removed = new Set(places.flatMap((place) => (place.type === 'token_ids' ? [place.index] : [])));
      return { ...prompt, data: prompt.data.filter((_, index) => !removed.has(index)) };
    })
    .filter(({ data }) => data.length > 0);
  return left.length > 0 ? left : [{ type: 'text', data: '\n' }]; // not all models can begin with nothing
}

/** Shares of the sections over which losses are averaged. @source DeYoung et al. 2020 (ERASER), without its 1 % */
export const SHARES: readonly number[] = [0.05, 0.1, 0.2, 0.35, 0.5];

/** Random orders, and random sets, that are drawn by default. */
export const [DEFAULT_DRAWS, DEFAULT_SETS] = [5, 32];

/** Calls of `/evaluate` at most by default, after a method other than `attention`: many removals are the same. */
export function mostEvaluations(sections: number): number {
  const orders = 1 + DEFAULT_DRAWS + 2 + 1; // the explanation, random ones, by place and length, by deletion
  return 1 + 2 * SHARES.length * orders + DEFAULT_SETS + sections;
}
