import { FailureError } from '../../contract/failure.ts';
import { isRecord, jsonIn, ownValue } from '../../contract/records.ts';
import { shown } from '../../contract/shown.ts';
import type { AppliedConcept } from '../../contract/steering.ts';
import type { Model } from '../../models/model.ts';
import type { SteeringConcept, SteeringVector } from '../../protocol/model-job.ts';
import type { RouterOptions } from './model-choice.ts';
import { invalid } from './text.ts';

const KEY = 'lightwell.concepts';

const MAX_CONCEPTS = 64;
/** Most characters that they take: a storage has room for about five million. */
const MAX_CHARACTERS = 2_000_000;

type ConceptStorage = RouterOptions['storage'];

/** Where there is no storage: of all services of the process, whichever a request reaches. */
let memory = '{}';

/** A concept as it is stored: without the texts that it was made from. */
interface StoredConcept {
  /** Version of the model, with its name. */
  readonly model: string;
  readonly layer: number;
  readonly vector: readonly number[];
}

/** Concepts by id, the oldest first; read each time, since another tab or another service of the process may have stored one. */
function storedIn(storage: ConceptStorage): Readonly<Record<string, StoredConcept>> {
  const concepts = jsonIn(storage ? (storage.getItem(KEY) ?? '{}') : memory);
  if (isRecord(concepts) && Object.values(concepts).every(isConcept)) return concepts as Record<string, StoredConcept>;
  console.warn('The stored steering concepts cannot be read; the next one replaces them.');
  return {};
}

function isConcept(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { model, layer, vector } = value;
  return typeof model === 'string' && isPositive(layer) && Array.isArray(vector) && vector.every(Number.isFinite);
}

function isPositive(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1;
}

/**
 * Stores a concept, and removes the oldest ones that there is no room for beside it.
 *
 * @param version  of the model that it was made with
 * @returns ids of removed ones
 * @throws {FailureError} OUT_OF_MEMORY when the storage is full
 */
export function storeConcept(
  { id, layer, vector }: Omit<SteeringConcept, 'layers'>,
  { version }: Pick<Model, 'version'>,
  storage: ConceptStorage,
): string[] {
  const { [id]: _, ...others } = storedIn(storage);
  // Nine digits give a float32 back exactly.
  const concept = { model: version, layer, vector: Array.from(vector, (value) => Number(value.toPrecision(9))) };
  const entries = Object.entries({ ...others, [id]: concept });
  const sizes = entries.map((entry) => JSON.stringify(entry).length);
  let first = 0;
  let size = sizes.reduce((sum, each) => sum + each, 0);
  while (entries.length - first > MAX_CONCEPTS || (size > MAX_CHARACTERS && first < entries.length - 1))
    size -= sizes[first++] ?? 0;
  const text = JSON.stringify(Object.fromEntries(entries.slice(first)));
  try {
    if (storage) storage.setItem(KEY, text);
    else memory = text;
  } catch (error) {
    throw new FailureError(
      'OUT_OF_MEMORY',
      `steering concepts: expected room in the browser's storage: ${String(error)}`,
    );
  }
  return entries.slice(0, first).map(([removed]) => removed);
}

/** Vectors times their strengths. @throws {FailureError} INVALID_REQUEST for an unknown id, or one of another model */
export function steeringBy(
  applied: readonly AppliedConcept[],
  { version }: Pick<Model, 'version'>,
  storage: ConceptStorage,
): SteeringVector[] {
  const concepts = storedIn(storage);
  return applied.map((each, index) => {
    const { id, strength } = typeof each === 'string' ? { id: each, strength: 1 } : each;
    const path = `steering_concepts[${index}]`;
    const concept = ownValue(concepts, id);
    if (!concept)
      throw invalid(path, `the id of one of the ${Object.keys(concepts).length} stored concepts`, shown(id));
    if (concept.model !== version)
      throw invalid(path, `a concept of the model ${shown(version)}`, `one of ${shown(concept.model)}`);
    return { layer: concept.layer, vector: Float32Array.from(concept.vector, (value) => strength * value) };
  });
}
