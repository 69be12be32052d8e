import type { Answer, CallOptions, Client } from '../client/client.ts';
import type { Progress } from '../contract/progress.ts';
import { createThrottle } from '../stores/buffered-storage.ts';
import { type Outcome, outcomeOf, predictBodyOf, type Prediction } from './outcome.ts';
import { budgetOf, explainRequestOf, type Question } from './question.ts';
import type { PartialExplanation, PartialItem } from '../contract/explain.ts';

/** Partial results are shown at most this often, so that drawing them never blocks the page. */
const PARTIAL_INTERVAL_MS = 150;

/**
 * The model's own answer, and the explanation. Progress is throttled, and includes the outcome so far.
 *
 * @throws if the connection is lost, and {DOMException} AbortError
 */
export async function requestExplanation(
  { client, model }: { readonly client: Pick<Client, 'explain' | 'predict'>; readonly model: string },
  question: Question,
  call: Pick<CallOptions, 'signal'> & {
    readonly onProgress?: (progress: Progress, partial: Outcome | null) => void;
  },
): Promise<Answer<Outcome>> {
  const { signal, onProgress } = call;
  let prediction: Prediction | null = null;
  const partials = createPartials();
  const throttle = createThrottle<Progress>((progress) => {
    const explanations = partials.all();
    onProgress?.(progress, explanations.length > 0 ? outcomeOf(question, explanations, null, prediction) : null);
  }, PARTIAL_INTERVAL_MS);
  const budget = budgetOf(question);
  const abort = { ...(signal && { signal }) };
  const predicting = client.predict(predictBodyOf(question, model), abort).then((answer) => {
    if (answer.ok) prediction = answer.value;
    return answer;
  });
  const explaining = client.explain(explainRequestOf(question, model), {
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
    if (!predicted.ok) return predicted;
    const { explanations, model_version: version } = explained.value;
    return { ok: true, value: outcomeOf(question, explanations, version, predicted.value) };
  } finally {
    throttle.cancel();
  }
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
