import { describe, expect, it } from 'vitest';
import { readPlainText } from '../../../src/files/plain-text.ts';

describe('readPlainText', () => {
  it.each([
    ['the end of a file of DOS', 'The rent.\r\n\x1A', 'The rent.\n'],
    ['what pads its end', 'The rent.\0\0\0', 'The rent.'],
    ['letters that are struck over', 'T\bTh\bhe\be _\br_\be_\bn_\bt.', 'The rent.'],
    ['the colours of a terminal', '\x1B[1m\x1B[31mThe\x1B[0m rent.', 'The rent.'],
  ])('reads a text without %s', (_, text, expected) => {
    const { text: read, unread } = readPlainText(new TextEncoder().encode(text));
    expect([read, unread]).toEqual([expected, []]);
  });

  it('refuses what is padded alone', () => {
    expect(() => readPlainText(Uint8Array.of(0, 0, 0))).toThrow(expect.objectContaining({ problem: 'damaged' }));
  });
});
