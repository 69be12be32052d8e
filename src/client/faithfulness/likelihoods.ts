import type { EvaluateResponse } from '../../contract/likelihood.ts';
import type { Client, Problem } from '../client.ts';
import type { ExplainBody, Explanation, ExplanationItem, ImageScore } from '../../contract/explain.ts';
import type { PromptItem } from '../../contract/prompt.ts';

/** Whether each section is removed, in their order. */
export type Removal = readonly boolean[];

/** How sections are removed. */
export type RemovalMethod = 'controls' | 'deletion';

/** A refused or failed call of a measurement. */
export class MeasurementError extends Error {
  override readonly name = 'MeasurementError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Code of a problem: another model answers than the explained one. */
export const OTHER_MODEL = 'OTHER_MODEL';

/** How likelihoods are requested. */
export interface LikelihoodOptions {
  readonly client: Pick<Client, 'evaluate'>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Log-likelihoods of the target, nats, as they become known. */
export type Likelihoods = ReturnType<typeof createLikelihoods>;

/**
 * Requests likelihoods, one call at a time and `nice`: everything else goes first.
 *
 * @param explained  `version`: name and version of the model
 */
export function createLikelihoods(
  request: ExplainBody,
  explained: { readonly sections: readonly PlacedSection[]; readonly version: string },
  { client, signal, onProgress }: LikelihoodOptions,
) {
  const { sections, version } = explained;
  const known = new Map<string, number>();
  const wholeKey = removalKey(
    'controls',
    sections.map(() => false),
  );
  const promptOf = (method: RemovalMethod, removal: Removal) => {
    const removed = sections.filter((_, at) => removal[at]);
    return (method === 'controls' ? suppressed : deleted)(request, removed);
  };
  const likelihoodOf = (key: string) => {
    const likelihood = known.get(key);
    if (likelihood === undefined) throw new RangeError('expected a removal that was asked for');
    return likelihood;
  };
  return {
    /** Of the prompt as it is. */
    whole: () => likelihoodOf(wholeKey),
    /** Loss of the target by a removal that was requested. @throws {RangeError} for another one */
    loss: (method: RemovalMethod, removal: Removal) =>
      likelihoodOf(wholeKey) - likelihoodOf(removalKey(method, removal)),
    /** Calls so far. */
    evaluations: () => known.size,
    /**
     * Requests the likelihood with each removal that is not known yet.
     *
     * @param later  about how many more will be requested
     * @throws {MeasurementError} when the service refuses one
     * @throws {DOMException} AbortError
     */
    async ask(removals: readonly (readonly [RemovalMethod, Removal])[], later: number): Promise<void> {
      const wanted = new Map([[wholeKey, itemsOf(request.prompt)]]);
      for (const [method, removal] of removals) wanted.set(removalKey(method, removal), promptOf(method, removal));
      const missing = [...wanted].filter(([key]) => !known.has(key));
      const total = known.size + missing.length + later;
      for (const [key, prompt] of missing) {
        const { result, model_version: got } = await evaluated(request, prompt, client, signal);
        if (got !== version)
          throw new MeasurementError({ status: 0, code: OTHER_MODEL, message: `expected ${version}, got ${got}` });
        known.set(key, result.log_probability);
        onProgress?.(known.size, total);
      }
      if (later === 0) onProgress?.(known.size, known.size);
    },
  };
}

async function evaluated(
  { model, hosting, target, control_log_additive, contextual_control_threshold }: ExplainBody,
  prompt: readonly PromptItem[],
  client: LikelihoodOptions['client'],
  signal: AbortSignal | undefined,
): Promise<EvaluateResponse> {
  const body = {
    model,
    prompt: [...prompt],
    completion_expected: target,
    ...(hosting !== undefined && { hosting }),
    ...(control_log_additive !== undefined && { control_log_additive }),
    ...(contextual_control_threshold !== undefined && { contextual_control_threshold }),
  };
  const answer = await client.evaluate(body, { nice: true, ...(signal && { signal }) });
  if (!answer.ok) throw new MeasurementError(answer.problem);
  return answer.value;
}

/** A name for a removal, the same for the same sections. */
function removalKey(method: RemovalMethod, removal: Removal): string {
  return `${method} ${removal.map(Number).join('')}`;
}

/** A section of the prompt: the index of its prompt item, and its place there. Text counts code points. */
export interface PlacedSection {
  readonly item: number;
  readonly place:
    | { readonly type: 'text'; readonly start: number; readonly length: number }
    | { readonly type: 'token_ids'; readonly index: number }
    | { readonly type: 'image'; readonly rect: ImageScore['rect'] };
}

function itemsOf(prompt: ExplainBody['prompt']): readonly PromptItem[] {
  return typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
}

/**
 * Sections of an answer in the order of the prompt, and how much each supports the target, nats. Explanations of single
 * tokens add up; if the request strengthens sections, signs are reversed.
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

/** The prompt without these sections and the white space after each. Only if `canDelete`. */
export function deleted(request: ExplainBody, sections: readonly PlacedSection[]): PromptItem[] {
  return itemsOf(request.prompt)
    .map((prompt, item): PromptItem => {
      const places = sections.filter((section) => section.item === item).map(({ place }) => place);
      if (prompt.type === 'text') return { type: 'text', data: textWithout(prompt.data, places) };
      if (prompt.type === 'image') throw new RangeError('expected a prompt without pictures');
      const removed = new Set(places.flatMap((place) => (place.type === 'token_ids' ? [place.index] : [])));
      return { ...prompt, data: prompt.data.filter((_, index) => !removed.has(index)) };
    })
    .filter(({ data }) => data.length > 0);
}

function textWithout(text: string, places: readonly PlacedSection['place'][]): string {
  const characters = [...text];
  const isRemoved = new Uint8Array(characters.length);
  for (const place of places) {
    if (place.type !== 'text') continue;
    isRemoved.fill(1, place.start, place.start + place.length);
    for (let at = place.start + place.length; /^\s$/u.test(characters[at] ?? ''); at++) isRemoved[at] = 1;
  }
  const left = characters.filter((_, at) => !isRemoved[at]).join('');
  return isRemoved.at(-1) ? left.trimEnd() : left;
}
