import type { AppliedConcept } from '../../src/contract/steering.ts';
import { steeringBy, storeConcept } from '../../src/router/request/concepts.ts';
import { seededRandom } from '../../workers/kernels/seeded-random.ts';
import opinions from '../data/opinions.json' with { type: 'json' };
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { sampleOf } from '../measures/sample.ts';
import { DECODER } from '../models/embedded-model.ts';
import { valueOf } from '../value-of.ts';

/** How a review asks for one of two answers. */
const FORMS: readonly ((review: string) => string)[] = [
  (review) => `Review: ${review}\nSentiment (positive or negative):`,
  (review) => `Review: ${review}\nSentiment:`,
  (review) => `Review: ${review}\nIs the review positive or negative?\nAnswer:`,
];
const ANSWERS = [' positive', ' negative'] as const;

const STRENGTHS = [1, 1.5, 2, 3];
/** Random directions for each layer that is tried, and for the layer that is measured. */
const TRIED = 3;
const MEASURED = 10;
/** A setting counts only if so few of its random directions reverse an answer. */
const MOST_BY_CHANCE = 0.1;

/** A prompt and how much likelier the positive answer is, in nats. */
interface Asked {
  readonly prompt: string;
  readonly margin: number;
}

/** Concepts of one layer: that of the pairs, and random directions of the same length. */
interface Concepts {
  readonly own: string;
  readonly random: readonly string[];
}

/**
 * A concept of 20 pairs of reviews against random directions of the same length: how often it makes the less likely of two answers the
 * likelier one. Layer and strength are chosen on other reviews, and the pairs are none of either.
 */
export const steeringEvaluation: Evaluation = {
  name: 'steering',
  title: 'Steering: share of 100 reviews whose less likely answer a concept of 20 other pairs makes the likelier one',
  model: DECODER,
  needs: [],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const { layer, strength, developed, concepts } = await chosenSetting(context);
  const asked = await withMargins(sampleOf(promptsOf(opinions.measured), context.sample), context);
  const [own, opposite, ...random]: boolean[][] = [[], []];
  for (const each of asked) {
    own?.push(await isReversed(each, concepts.own, strength, context));
    opposite?.push(await isReversed(each, concepts.own, -strength, context));
    for (const [index, id] of concepts.random.entries())
      (random[index] ??= []).push(await isReversed(each, id, strength, context));
    context.progress('reviews', own?.length ?? 0, asked.length);
  }
  const row = (what: string, isPart: (each: Asked) => boolean, note: string): Row[] => {
    const part = asked.flatMap((each, index) => (isPart(each) ? [index] : []));
    if (part.length === 0) return []; // of a small sample
    const share = (reversed: readonly boolean[] = []) => meanOf(part.map((index) => Number(reversed[index])));
    const byChance = meanOf(random.map((each) => share(each).value));
    const baselines = { [`${MEASURED} random directions`]: byChance, 'the opposite sign': share(opposite) };
    return [{ what, model: share(own), baselines, items: part.length, note }];
  };
  const setting = `after layer ${layer} with strength ${strength}, by which ${developed}`;
  return [
    row('all', () => true, setting),
    row('from negative to positive', ({ margin }) => margin < 0, ''),
    row('from positive to negative', ({ margin }) => margin >= 0, ''),
  ].flat();
}

/** The layer and strength that reverse most reviews for choosing; of equals the first. */
async function chosenSetting(context: Context) {
  const asked = await withMargins(sampleOf(promptsOf(opinions.development), context.sample), context);
  const { layers } = await valueOf(context.client.steeringConcepts({ model: DECODER, examples: opinions.pairs }));
  let best = { layer: 1, strength: 1, share: -1, developed: '' };
  for (let layer = 1; layer <= layers; layer++) {
    const concepts = await conceptsAfter(layer, TRIED, context);
    for (const strength of STRENGTHS) {
      const [own, chance]: [number[], number[]] = [[], []];
      for (const each of asked) {
        own.push(Number(await isReversed(each, concepts.own, strength, context)));
        for (const id of concepts.random) chance.push(Number(await isReversed(each, id, strength, context)));
      }
      context.progress(
        'settings',
        (layer - 1) * STRENGTHS.length + STRENGTHS.indexOf(strength) + 1,
        layers * STRENGTHS.length,
      );
      const share = meanOf(own).value;
      if (share <= best.share || meanOf(chance).value > MOST_BY_CHANCE) continue;
      const developed = `${Math.round(100 * share)} % of ${own.length} others are reversed`;
      best = { layer, strength, share, developed };
    }
  }
  return { ...best, concepts: await conceptsAfter(best.layer, MEASURED, context) };
}

/** Makes the concept of a layer, and random directions of its length beside it in the service's store. */
async function conceptsAfter(layer: number, count: number, { client }: Context): Promise<Concepts> {
  const body = { model: DECODER, examples: opinions.pairs, layer };
  const { id: own, model_version: version } = await valueOf(client.steeringConcepts(body));
  const [{ vector } = { vector: new Float32Array(0) }] = steeringBy([own], { version }, null);
  const random = seededRandom(layer);
  const ids = Array.from({ length: count }, (_, index) => {
    const direction = Float32Array.from(vector, () => normal(random));
    const scale = lengthOf(vector) / lengthOf(direction);
    const id = `random ${layer} ${index}`;
    storeConcept({ id, layer, vector: direction.map((value) => scale * value) }, { version }, null);
    return id;
  });
  return { own, random: ids };
}

/** @source Box and Muller 1958 */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

function promptsOf({ positive, negative }: typeof opinions.measured): readonly string[] {
  return positive.concat(negative).map((review, index) => FORMS[index % FORMS.length]?.(review) ?? review);
}

async function withMargins(prompts: readonly string[], context: Context): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const prompt of prompts) asked.push({ prompt, margin: await marginOf(prompt, [], context) });
  return asked;
}

/** Whether the concept makes the less likely answer the likelier one. @param strength  towards the less likely answer */
async function isReversed({ prompt, margin }: Asked, id: string, strength: number, context: Context): Promise<boolean> {
  const steered = await marginOf(prompt, [{ id, strength: margin < 0 ? strength : -strength }], context);
  return steered < 0 !== margin < 0;
}

/** ln p(positive) − ln p(negative). */
async function marginOf(prompt: string, steering_concepts: AppliedConcept[], { client }: Context): Promise<number> {
  const [positive = NaN, negative = NaN] = await Promise.all(
    ANSWERS.map(async (completion_expected) => {
      const body = { model: DECODER, prompt, completion_expected, steering_concepts };
      return (await valueOf(client.evaluate(body))).result.log_probability;
    }),
  );
  return positive - negative;
}
