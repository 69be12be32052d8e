import type { Answer, CallOptions, ModelSource } from '../../client/client.ts';

/** What steers, and what is asked of the steered model. */
export interface SteeringQuestion {
  /** Texts on both sides of the concept, a line each; lines at the same place make a pair. */
  readonly positive: string;
  readonly negative: string;
  readonly prompt: string;
  readonly first: string;
  readonly second: string;
}

interface SteeringRow {
  readonly strength: number;
  /** Probabilities of the two answers, 0 … 1. */
  readonly first: number;
  readonly second: number;
  readonly written: string;
}

/** A concept and what it does at each strength, in the order of `STRENGTHS`. */
export interface SteeringFound {
  readonly id: string;
  readonly layer: number;
  readonly layers: number;
  readonly rows: readonly SteeringRow[];
}

/** Strengths that are compared. */
export const STRENGTHS = [-4, -3, -2, -1, 0, 1, 2, 3, 4] as const;

const WRITTEN_TOKENS = 8;

/** Reviews whose tone a concept changes; the models read English. */
export const STEERING_EXAMPLE: SteeringQuestion = {
  positive: [
    'A lovely hotel with friendly staff.',
    'I enjoyed every minute of the film.',
    'The phone works perfectly.',
    'What a wonderful concert!',
    'The driver was polite and on time.',
    'The room was bright and clean.',
    'Our guide was excellent.',
    'The coffee was rich and smooth.',
  ].join('\n'),
  negative: [
    'A dirty hotel with rude staff.',
    'I regretted every minute of the film.',
    'The phone broke after a day.',
    'What a dreadful concert!',
    'The driver was rude and late.',
    'The room was dark and filthy.',
    'Our guide was terrible.',
    'The coffee was bitter and weak.',
  ].join('\n'),
  prompt: 'Review: The pancakes were burnt and greasy.\nSentiment:',
  first: ' positive',
  second: ' negative',
};

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

/** Whether there are pairs, and two answers to compare. */
export function canSteer({ positive, negative, prompt, first, second }: SteeringQuestion): boolean {
  const count = linesOf(positive).length;
  return count > 0 && count === linesOf(negative).length && [prompt, first, second].every((text) => text !== '');
}

/** Makes the concept and asks the steered model, once for each strength. */
export async function requestSteering(
  { client, model }: ModelSource<'steeringConcepts' | 'evaluate' | 'complete'>,
  { positive, negative, prompt, first, second }: SteeringQuestion,
  { signal, onProgress }: CallOptions,
): Promise<Answer<SteeringFound>> {
  const call = { ...(signal && { signal }) };
  const others = linesOf(negative);
  const examples = linesOf(positive).map((text, index) => ({ positive: text, negative: others[index] ?? '' }));
  const concept = await client.steeringConcepts({ model, examples }, call);
  if (!concept.ok) return concept;
  const { id, layer, layers } = concept.value;
  const rows: SteeringRow[] = [];
  for (const strength of STRENGTHS) {
    const base = { model, prompt, steering_concepts: [{ id, strength }] };
    const [one, two, text] = await Promise.all([
      client.evaluate({ ...base, completion_expected: first }, call),
      client.evaluate({ ...base, completion_expected: second }, call),
      client.complete({ ...base, maximum_tokens: WRITTEN_TOKENS, stop_sequences: ['\n'] }, call),
    ]);
    if (!one.ok) return one;
    if (!two.ok) return two;
    if (!text.ok) return text;
    const probability = ({ value }: typeof one) => Math.exp(value.result.log_probability);
    const written = text.value.completions[0]?.completion ?? '';
    rows.push({ strength, first: probability(one), second: probability(two), written });
    onProgress?.({ phase: 'run', done: rows.length, total: STRENGTHS.length });
  }
  return { ok: true, value: { id, layer, layers, rows } };
}

/** The strength nearest to 0 at which the other answer is the likelier one than without steering; null: at none. */
export function reversingStrength({ rows }: SteeringFound): number | null {
  const plain = rows.find(({ strength }) => strength === 0);
  if (!plain) return null;
  const isFirst = ({ first, second }: SteeringRow) => first > second;
  const reversing = rows.filter((row) => isFirst(row) !== isFirst(plain)).map(({ strength }) => strength);
  return reversing.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
}
