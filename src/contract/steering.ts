import { namedObject, z } from './wire/zod.ts';

const MAX_PAIRS = 200;
/** Most concepts of a request. */
const MAX_APPLIED = 16;
/** Largest strength, in either direction. */
const MAX_STRENGTH = 100;

/**
 * Body of `POST /steering_concepts`. `examples` is the hosted service's; the other fields are Lightwell's own.
 *
 * @source the hosted service's public Python client 11.5.1, steering.py
 */
export const SteeringConceptRequest = namedObject('SteeringConceptRequest', {
  /** Null or left out: the model that completes where a request names none. */
  model: z.string().min(1).nullish(),
  hosting: z.string().nullish(),
  /** Texts that differ in what the concept is about. */
  examples: z
    .array(z.object({ negative: z.string(), positive: z.string() }))
    .min(1)
    .max(MAX_PAIRS),
  /** The layer after which the vector is added, from 1; null or left out: the middle one. */
  layer: z.number().int().min(1).nullish(),
});

/** Answer of `POST /steering_concepts`. The hosted service has `id` alone. */
export const SteeringConceptResponse = namedObject('SteeringConceptResponse', {
  /** For `steering_concepts` of other requests. The same examples, model and layer give the same. */
  id: z.string(),
  model_version: z.string(),
  layer: z.number().int(),
  /** Of the model. */
  layers: z.number().int(),
  /** Ids of the oldest concepts, which were removed to make room. */
  removed: z.array(z.string()),
});
/** As a client reads it. */
export type SteeringConceptResponse = z.infer<typeof SteeringConceptResponse>;

/** A concept to apply: its id, which means the strength 1, or Lightwell's own form with a strength. */
const AppliedConcept = z.union(
  [
    z.string().min(1),
    z.object({ id: z.string().min(1), strength: z.number().min(-MAX_STRENGTH).max(MAX_STRENGTH).default(1) }),
  ],
  { error: 'the id of a concept, or an object with "id" and "strength"' },
);
/** A concept as a request names it. */
export type AppliedConcept = z.infer<typeof AppliedConcept>;

/** Field of the operations that a concept can steer. */
export const steeringFields = {
  /** Vectors that are added to the hidden state of every position, the prompt's too, each times its strength. */
  steering_concepts: z.array(AppliedConcept).max(MAX_APPLIED).nullish(),
};
