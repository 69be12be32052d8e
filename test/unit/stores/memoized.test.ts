import { expect, it } from 'vitest';
import { memoized } from '../../../src/stores/memoized.ts';

it('makes one value for each key, at its first use', () => {
  const of = memoized((key: { readonly name: string }, source: number) => ({ name: key.name, source }));
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const first = of(a, 1);
  expect(first).toEqual({ name: 'a', source: 1 });
  expect(of(a, 2)).toBe(first);
  expect(of(b, 2)).toEqual({ name: 'b', source: 2 });
});
