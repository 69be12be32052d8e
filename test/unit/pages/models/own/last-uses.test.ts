import { expect, it } from 'vitest';
import { createLastUses } from '../../../../../src/pages/models/own/last-uses.ts';
import { createFakeMemory } from '../../../../support/fakes/fake-memory.ts';

it('the last use of a model is kept, once a minute at most; what is damaged counts as nothing', () => {
  const storage = createFakeMemory();
  let at = 1_000_000;
  const uses = createLastUses(storage, () => at);
  uses.note('m');
  at += 59_000;
  uses.note('m');
  expect(createLastUses(storage).all()).toEqual({ m: 1_000_000 });
  at += 1_000;
  uses.note('m');
  expect(createLastUses(storage).all()).toEqual({ m: 1_060_000 });
  storage.setItem('lightwell.models.used', '{"m": "now", "n": 1}');
  expect(createLastUses(storage).all()).toEqual({ n: 1 });
  storage.setItem('lightwell.models.used', '{');
  expect(createLastUses(storage).all()).toEqual({});
});
