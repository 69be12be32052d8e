import { describe, expect, it, vi } from 'vitest';
import { steeringBy, storeConcept } from '../../../../src/router/request/concepts.ts';

const KEY = 'lightwell.concepts';
const MODEL = { version: 'base 1' };

function memory(text: string | null = null) {
  const texts = new Map<string, string>(text === null ? [] : [[KEY, text]]);
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    ids: () => Object.keys(JSON.parse(texts.get(KEY) ?? '{}') as object),
  };
}

const concept = (id: string, values: readonly number[] = [1, -2, 0.5]) => ({
  id,
  layer: 2,
  vector: Float32Array.from(values),
});

describe('stored concepts', () => {
  it('come back with the exact numbers, times their strength', () => {
    const storage = memory();
    const values = [0.1, -1 / 3, 1e-30, 12345.678, 0];
    storeConcept(concept('a', values), MODEL, storage);
    const [plain, twice] = steeringBy(['a', { id: 'a', strength: 2 }], MODEL, storage);
    expect(plain).toEqual({ layer: 2, vector: Float32Array.from(values) });
    expect(twice?.vector).toEqual(Float32Array.from(values, (value) => 2 * Math.fround(value)));
  });

  it('are shared by all services of a process without a storage', () => {
    storeConcept(concept('shared'), MODEL, null);
    expect(steeringBy(['shared'], MODEL, undefined)[0]?.layer).toBe(2);
  });

  it('belong to one model', () => {
    const storage = memory();
    storeConcept(concept('a'), { version: 'other 3' }, storage);
    expect(() => steeringBy(['a'], MODEL, storage)).toThrow(
      'steering_concepts[0]: expected a concept of the model "base 1", got one of "other 3"',
    );
  });

  it('are refused by their place where there is none with the id, and names of objects are none', () => {
    const storage = memory();
    storeConcept(concept('a'), MODEL, storage);
    for (const id of ['b', 'constructor', '__proto__'])
      expect(() => steeringBy(['a', id], MODEL, storage)).toThrow(
        `steering_concepts[1]: expected the id of one of the 1 stored concepts, got "${id}"`,
      );
  });

  it('make room for new ones, the oldest first, and say so', () => {
    const storage = memory();
    for (let n = 0; n < 64; n++) expect(storeConcept(concept(`c${n}`), MODEL, storage)).toEqual([]);
    expect(storeConcept(concept('c0'), MODEL, storage)).toEqual([]); // made again: now the newest
    expect(storeConcept(concept('c64'), MODEL, storage)).toEqual(['c1']);
    expect(storage.ids()).toHaveLength(64);
    const wide = Array.from({ length: 200_000 }, (_, at) => Math.sin(at));
    expect(storeConcept(concept('wide', wide), MODEL, storage)).toHaveLength(64);
    expect(storage.ids()).toEqual(['wide']);
  });

  it.each([
    '',
    'no JSON',
    '[]',
    '{"a":1}',
    '{"a":{"model":"base 1","layer":0,"vector":[1]}}',
    '{"a":{"model":"m","layer":1,"vector":["x"]}}',
  ])('that cannot be read, %j, are reported and replaced', (text) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const storage = memory(text);
    expect(() => steeringBy(['a'], MODEL, storage)).toThrow('one of the 0 stored concepts');
    expect(warned).toHaveBeenCalledOnce();
    storeConcept(concept('b'), MODEL, storage);
    expect(storage.ids()).toEqual(['b']);
    warned.mockRestore();
  });

  it('are refused where the storage is full', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('quota exceeded');
      },
    };
    expect(() => storeConcept(concept('a'), MODEL, full)).toThrow(
      /expected room in the browser's storage.*quota exceeded/,
    );
  });
});
