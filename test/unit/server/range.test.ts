import { describe, expect, it } from 'vitest';
import { rangeOf } from '../../../server/model-files.ts';

describe('rangeOf', () => {
  it.each([
    ['bytes=0-9', { start: 0, end: 10 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-500', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-500', { start: 0, end: 100 }],
    [undefined, 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['items=0-1', 'all'],
    ['bytes=-', 'all'],
    ['bytes=9-3', 'all'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('%s of 100 bytes', (header, expected) => {
    expect(rangeOf(header, 100)).toEqual(expected);
  });
});
