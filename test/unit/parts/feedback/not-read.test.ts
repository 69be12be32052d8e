import { expect, it } from 'vitest';
import { notReadText } from '../../../../src/parts/feedback/not-read.tsx';

it('says what was not read, and what to check', () => {
  expect(notReadText([{ kind: 'picture', count: 2 }])).toBe('Not read: 2 pictures.');
  expect(
    notReadText([
      { kind: 'hidden_text', count: 1 },
      { kind: 'chart', count: 3 },
      { kind: 'uneven_row', count: 1 },
      { kind: 'character', count: 2 },
    ]),
  ).toBe(
    'Not read: 1 hidden text and 3 charts. Please check: 1 row with too many values and 2 characters in an unknown encoding.',
  );
});

it('names the encoding that characters were recognised in', () => {
  expect(notReadText([{ kind: 'character', count: 1200, encoding: 'windows-1251' }])).toBe(
    'Please check: 1,200 characters read as windows-1251.',
  );
});
