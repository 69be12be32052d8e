import { expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import { isOutOfMemory, outOfMemory } from '../../../../../workers/engine/device/guard.ts';

it.each([
  [new Error('std::bad_alloc'), true],
  [new Error('bfc_arena.cc: Failed to allocate memory for requested buffer of size 4294967296'), true],
  [new RangeError('Array buffer allocation failed'), true],
  [new RangeError('WebAssembly.Memory(): could not allocate memory'), true],
  [new Error('Not enough memory left.'), true],
  [new FailureError('OUT_OF_MEMORY', ''), true],
  [new FailureError('MODEL_UNAVAILABLE', 'out of memory'), false],
  [new WebAssembly.RuntimeError('Aborted(OOM): out of memory'), false],
  [new Error('invalid dimensions'), false],
  ['out of memory', false],
])('%s: %s', (error, expected) => expect(isOutOfMemory(error)).toBe(expected));

it('keeps what was said, and a failure as it is', () => {
  expect(outOfMemory(new Error('std::bad_alloc')).failure).toEqual({
    code: 'OUT_OF_MEMORY',
    message: 'std::bad_alloc',
  });
  const known = new FailureError('OUT_OF_MEMORY', 'at most 12 tokens');
  expect(outOfMemory(known)).toBe(known);
});
