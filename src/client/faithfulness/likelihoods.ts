import type { Answer, CallOptions, Client, Problem } from '../client.ts';
import type { ExplainBody } from '../../contract/explain.ts';
import type { EvaluateResponse } from '../../contract/likelihood/evaluate.ts';
import type { PromptItem } from '../../contract/prompt.ts';
import { keyOf, type Removal, type Way } from './plan.ts';
import { deleted, suppressed } from './prompts/removed.ts';
import { itemsOf, type PlacedSection } from './prompts/sections.ts';

/** A refused or failed call of a measurement. */
export class MeasurementError extends Error {
  override readonly name = 'MeasurementError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Code of a problem: another model answers than the one that is explained. */
export const OTHER_MODEL = 'OTHER_MODEL';

/** How likelihoods are asked for. */
export interface LikelihoodOptions {
  readonly client: Pick<Client, 'evaluate'>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Log-likelihoods of the target, nats, as they become known. */
export interface Likelihoods {
  /** Of the prompt as it is. */
  whole(): number;
  /** What the target loses by a removal that was asked for. @throws {RangeError} for another one */
  loss(way: Way, removal: Removal): number;
  /** Calls so far. */
  evaluations(): number;
  /**
   * Asks for the likelihood with each removal that is not known yet.
   *
   * @param later  how many more will be asked for, about
   * @throws {MeasurementError} when the service refuses one
   * @throws {DOMException} AbortError
   */
  ask(removals: readonly (readonly [Way, Removal])[], later: number): Promise<void>;
}

/** What was explained. */
export interface Explained {
  readonly sections: readonly PlacedSection[];
  /** Name and version of the model. */
  readonly version: string;
}

/** Nothing is known yet. Calls go out one at a time and `nice`: everything else goes first. */
export function createLikelihoods(
  request: ExplainBody,
  { sections, version }: Explained,
  { client, signal, onProgress }: LikelihoodOptions,
): Likelihoods {
  const known = new Map<string, number>();
  const wholeKey = keyOf(
    'controls',
    sections.map(() => false),
  );
  const promptOf = (way: Way, removal: Removal) => {
    const gone = sections.filter((_, at) => removal[at]);
    return (way === 'controls' ? suppressed : deleted)(request, gone);
  };
  const likelihoodOf = (key: string) => {
    const found = known.get(key);
    if (found === undefined) throw new RangeError('expected a removal that was asked for');
    return found;
  };
  return {
    whole: () => likelihoodOf(wholeKey),
    loss: (way, removal) => likelihoodOf(wholeKey) - likelihoodOf(keyOf(way, removal)),
    evaluations: () => known.size,
    async ask(removals, later) {
      const wanted = new Map([[wholeKey, itemsOf(request.prompt)]]);
      for (const [way, removal] of removals) wanted.set(keyOf(way, removal), promptOf(way, removal));
      const missing = [...wanted].filter(([key]) => !known.has(key));
      const total = known.size + missing.length + later;
      for (const [key, prompt] of missing) {
        const { result, model_version: got } = await evaluated(request, prompt, { client, ...(signal && { signal }) });
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
  { client, signal }: Pick<LikelihoodOptions, 'client'> & Pick<CallOptions, 'signal'>,
): Promise<EvaluateResponse> {
  const body = {
    ...{ model, prompt: [...prompt], completion_expected: target },
    ...(hosting !== undefined && { hosting }),
    ...(control_log_additive !== undefined && { control_log_additive }),
    ...(contextual_control_threshold !== undefined && { contextual_control_threshold }),
  };
  const answer: Answer<EvaluateResponse> = await client.evaluate(body, { nice: true, ...(signal && { signal }) });
  if (!answer.ok) throw new MeasurementError(answer.problem);
  return answer.value;
}
