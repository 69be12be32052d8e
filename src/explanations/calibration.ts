import type { Client } from '../client/client.ts';
import { addsByDefault } from '../client/ask-defaults.ts';
import { meanFigure, rankCorrelation } from '../client/faithfulness/measures.ts';
import type { ExplainBody, ExplainResponse } from '../contract/explain.ts';
import type { Calibration } from '../contract/settings.ts';
import type { ModelFacts } from '../stores/models-store.ts';
import { requestLosses } from './first-words.ts';

/** Short prompts with their answers, of several kinds; the evaluations have others. */
const PROMPTS = [
  ['The blue suitcase belongs to Laura and the brown one to Samuel. The brown suitcase belongs to', ' Samuel'],
  ['Paolo keeps bees. His sister Ingrid keeps goats.\nQuestion: Which animals does Ingrid keep?\nAnswer:', ' goats'],
  ['In winter the museum opens at nine, in summer at eight. On a day in July it opens at', ' eight'],
  [
    'User: Could you book a room in Lisbon for Friday?\nAssistant: For how many nights?\nUser: Three.\nCity:',
    ' Lisbon',
  ],
  ['Soup of the day: tomato. Main course: trout with rice. Dessert: plum cake.\nThe dessert is', ' plum cake'],
  ['After the storm no ferry left, so Maria spent the night in Brest. The town where she slept is', ' Brest'],
  ['My grandfather repaired clocks, my grandmother taught French.\nWhat did my grandmother teach?\nAnswer:', ' French'],
  ['Green tea costs three euros and hot chocolate costs five. For a cup of green tea you pay', ' three euros'],
] as const;

/** Factors that are compared: sections hidden, or their attention multiplied by 0.1. */
const [HIDDEN, DIMMED] = [0, 0.1];

/** Places that many models attend to whatever they predict: the first word, and the first full stop or line end. */
const PLACES = [/\S+/g, /[.\n]/g] as const;

/** What is measured with one prompt; see `Calibration`. */
type Measured = Omit<Calibration, 'factor' | 'state'>;

/** The measurements of each model so far, so that a calibration that was interrupted goes on. */
const known = new Map<string, Measured[]>();

/**
 * Measures which factor explains a model best: the rank correlation of its scores with deletion, over a few prompts, and what the
 * first word and the first full stop or line end of each mean for later tokens. Sections are hidden unless multiplying by 0.1
 * agrees clearly better. The calls are `nice`, so they delay nothing else.
 *
 * @returns null if a call failed, or a correlation is not defined
 * @throws  if the connection is lost, and {DOMException} AbortError
 */
export async function calibrate(
  client: Pick<Client, 'evaluate' | 'explain'>,
  { name, state }: Pick<ModelFacts, 'name' | 'state'>,
  signal: AbortSignal,
): Promise<Calibration | null> {
  const key = `${state} ${name}`;
  const measured = known.get(key) ?? [];
  known.set(key, measured);
  for (const [prompt, target] of PROMPTS.slice(measured.length)) {
    const found = await measure(client, { model: name, prompt, target }, signal);
    if (!found) return null;
    measured.push(found);
  }
  known.delete(key);
  return { ...calibrationOf(measured), state };
}

/** The mean of each figure, and the factor that follows from them. @throws {RangeError} for no measurements */
export function calibrationOf(measured: readonly Measured[]): Omit<Calibration, 'state'> {
  const mean = (of: (one: Measured) => number) => meanFigure(measured.map(of)) ?? noMeasurements();
  const [low] = mean(({ dimmed, hidden }) => dimmed - hidden).interval ?? [0];
  return {
    factor: low > 0 ? DIMMED : HIDDEN,
    hidden: mean(({ hidden }) => hidden).value,
    dimmed: mean(({ dimmed }) => dimmed).value,
    lossDimmed: mean(({ lossDimmed }) => lossDimmed).value,
    lossDeleted: mean(({ lossDeleted }) => lossDeleted).value,
    delimiterDimmed: mean(({ delimiterDimmed }) => delimiterDimmed).value,
    delimiterDeleted: mean(({ delimiterDeleted }) => delimiterDeleted).value,
  };
}

function noMeasurements(): never {
  throw new RangeError('expected at least one measurement, got none');
}

async function measure(
  client: Pick<Client, 'evaluate' | 'explain'>,
  asked: Pick<ExplainBody, 'model' | 'prompt' | 'target'> & { readonly prompt: string },
  signal: AbortSignal,
): Promise<Measured | null> {
  const call = { signal, nice: true };
  const scores = async (how: Partial<ExplainBody>) => {
    const answer = await client.explain({ ...asked, prompt_granularity: { type: 'word' }, ...how }, call);
    return answer.ok ? scoresIn(answer.value) : [];
  };
  const dim = (factor: number) => scores({ control_factor: factor, control_log_additive: addsByDefault(factor) });
  const [losses, hidden, dimmed] = [await scores({ method: 'deletion' }), await dim(HIDDEN), await dim(DIMMED)];
  if (losses.length === 0 || [hidden, dimmed].some(({ length }) => length !== losses.length)) return null;
  const places = PLACES.flatMap((pattern) => [...asked.prompt.matchAll(pattern)].slice(0, 1));
  const words = await requestLosses(asked.prompt, places, { client, model: asked.model }, call);
  const [first, delimiter] = words.ok ? words.value : [];
  const agreement = { hidden: rankCorrelation(hidden, losses), dimmed: rankCorrelation(dimmed, losses) };
  if (!first || !delimiter || !Object.values(agreement).every(Number.isFinite)) return null;
  const { dimmed: delimiterDimmed, deleted: delimiterDeleted } = delimiter;
  return { ...agreement, lossDimmed: first.dimmed, lossDeleted: first.deleted, delimiterDimmed, delimiterDeleted };
}

function scoresIn({ explanations }: ExplainResponse): readonly number[] {
  const item = explanations[0]?.items[0];
  return item?.type === 'text' ? item.scores.map(({ score }) => score) : [];
}
