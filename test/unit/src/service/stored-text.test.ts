import { expect, it, vi } from 'vitest';
import { storedText } from '../../../../src/service/stored-text.ts';

it('reads what is stored', () => {
  expect(storedText({ getItem: (key) => `${key}!` }, 'a')).toBe('a!');
  expect(storedText({ getItem: () => null }, 'a')).toBeNull();
  expect(storedText(null, 'a')).toBeNull();
});

it('takes a storage that cannot be read for an empty one, and says so', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const getItem = () => {
    throw new Error('denied');
  };
  expect(storedText({ getItem }, 'lightwell.token')).toBeNull();
  expect(warned.mock.calls).toEqual([["lightwell.token cannot be read from this browser's storage: Error: denied"]]);
  warned.mockRestore();
});
