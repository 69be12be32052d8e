import { type AskClient, findTarget, type FoundTarget } from '../client/ask.ts';
import { MAX_ANSWER_TOKENS } from '../client/ask-defaults.ts';
import type { Answer, CallOptions, Client } from '../client/client.ts';
import type { PartialExplanation, PartialItem } from '../contract/explain.ts';
import type { PredictBody } from '../contract/likelihood.ts';
import type { Progress } from '../contract/progress.ts';
import { createThrottle } from '../stores/buffered-storage.ts';
import { type Outcome, outcomeOf, type Prediction } from './outcome.ts';
import { budgetOf, explainRequestOf, promptOf, type Question } from './question.ts';
import { sinksIn } from './sinks.ts';

/** Likeliest tokens listed at each target position. */
const ALTERNATIVES = 5;

/** The question for `POST /predict`: the same prompt, target and controls as in the explanation. */
export function predictBodyOf(question: Question, model: string): PredictBody {
  const { prompt, target, control_log_additive, contextual_control_threshold } = explainRequestOf(question, model);
  return {
    model,
    prompt,
    target,
    control_log_additive,
    ...(contextual_control_threshold !== undefined && { contextual_control_threshold }),
    alternatives: ALTERNATIVES,
    maximum_tokens: MAX_ANSWER_TOKENS,
  };
}

/** Partial results are shown at most this often, so that drawing them never blocks the page. */
const PARTIAL_INTERVAL_MS = 150;

type ExplanationClient = AskClient & Pick<Client, 'evaluate'>;

interface ExplanationCall extends Pick<CallOptions, 'signal'> {
  /** Name of the model, for the whole call: a default can change meanwhile. */
  readonly model: string;
  /** Address of the server that has the model; null: it is loaded into the page. */
  readonly upstream: string | null;
  readonly onProgress?: (progress: Progress, partial: Outcome | null) => void;
  /** Called with the model's own answer as far as it is written. */
  readonly onWritten?: (text: string) => void;
}

/**
 * The target, which may be the model's own answer, its probability, and the explanation. Progress is throttled, and includes
 * the outcome so far.
 *
 * @throws if the connection is lost, and {DOMException} AbortError
 */
export async function requestExplanation(
  client: ExplanationClient,
  asked: Question,
  call: ExplanationCall,
): Promise<Answer<Outcome>> {
  const { prompt, target, settings } = { ...asked, prompt: promptOf(asked) };
  if (target !== '' && (settings.isTargetExact || call.upstream !== null))
    return explainTarget(client, asked, { target, continuation: null }, call);
  const { model, signal, onProgress, onWritten } = call;
  const found = await findTarget(
    client,
    { model, prompt, target },
    {
      ...(signal && { signal }),
      ...(onWritten && { onWritten }),
      onProgress: (progress) => onProgress?.(progress, null),
    },
  );
  return found.ok ? explainTarget(client, asked, found.value, call) : found;
}

async function explainTarget(
  client: ExplanationClient,
  asked: Question,
  { target, continuation }: FoundTarget,
  { model, upstream, signal, onProgress }: ExplanationCall,
): Promise<Answer<Outcome>> {
  const question = { ...asked, target };
  const outcome = (
    explanations: Outcome['explanations'],
    version: string | null,
    found: Prediction | null,
    sinks: Outcome['sinks'] = [],
  ) => outcomeOf(question, explanations, version, found, { asked: asked.target, upstream, sinks });
  let prediction: Prediction | null = null;
  const partials = createPartials();
  const throttle = createThrottle<Progress>((progress) => {
    const explanations = partials.all();
    onProgress?.(progress, explanations.length > 0 ? outcome(explanations, null, prediction) : null);
  }, PARTIAL_INTERVAL_MS);
  const budget = budgetOf(question, upstream);
  const abort = { ...(signal && { signal }) };
  const predict = () =>
    predictTarget(client, predictBodyOf(question, model), continuation, abort).then((answer) => {
      if (answer.ok) prediction = answer.value;
      return answer;
    });
  const predicting = upstream === null ? predict() : null; // a server does not tell what is likely in place of the target
  const explaining = client.explain(explainRequestOf(question, model, upstream), {
    ...abort,
    ...(budget && { budget }),
    onProgress(progress) {
      if (signal?.aborted) return;
      partials.add(progress.partial ?? []); // at once: the throttle drops progress
      throttle.push(progress);
    },
  });
  try {
    const [predicted, explained] = await Promise.all([predicting, explaining]);
    if (!explained.ok) return explained;
    if (predicted?.ok === false) return predicted;
    const { explanations, model_version: version } = explained.value;
    const parts = [explanations, version, predicted?.value ?? null] as const;
    const sinks = await sinksIn(outcome(...parts), { client, model }, signal);
    return { ok: true, value: outcome(...parts, sinks) };
  } finally {
    throttle.cancel();
  }
}

/** How likely the target is, beside what the model writes. @param known  what it writes, where it has written already */
async function predictTarget(
  client: AskClient,
  body: PredictBody,
  known: Prediction['continuation'] | null,
  call: CallOptions,
): Promise<Answer<Prediction>> {
  const answer = await client.predict(known ? { ...body, maximum_tokens: 0 } : body, call);
  return answer.ok && known ? { ok: true, value: { ...answer.value, continuation: known } } : answer;
}

/** Joins the partial explanations of one request. */
export function createPartials() {
  const explanations: PartialExplanation[] = [];
  return {
    add(partials: readonly PartialExplanation[]): void {
      for (const [column, { target, items }] of partials.entries()) {
        const known = (explanations[column] ??= { target, items: items.map(({ type }) => ({ type, scores: [] })) });
        for (const [index, item] of items.entries()) append(known.items[index], item);
      }
    },
    /** Everything so far; the lists keep growing. */
    all: (): readonly PartialExplanation[] => explanations,
  };
}

/** Items of one index have one type; an item of another type would be a defect of the service, and is left out. */
function append(known: PartialItem | undefined, { type, scores, margins = [] }: PartialItem): void {
  if (known?.type !== type) return;
  const list: unknown[] = known.scores;
  if (margins.some((margin) => margin !== null)) known.margins ??= list.map(() => null);
  // In a list that has estimates, an exact score replaces the estimate of its place.
  const places = known.margins && new Map(known.scores.map((before, at) => [placeOf(before), at]));
  for (const [at, score] of scores.entries()) {
    const before = places?.get(placeOf(score)) ?? list.length;
    list[before] = score;
    if (known.margins) known.margins[before] = margins[at] ?? null;
  }
}

function placeOf({ score: _, ...place }: PartialItem['scores'][number]): string {
  return JSON.stringify(place);
}
