import { afterAll, expect } from 'vitest';
import { differenceOf } from '../../workers/kernels/float-arrays.ts';
import { place } from '../support/onnx/place.ts';

/** Differences that checks have seen, printed as a table when the file is through. */
export interface Measured {
  /** Expects the largest absolute difference to stay within `limit`, and remembers it under the check's name. */
  within(check: string, found: ArrayLike<number> | undefined, expected: ArrayLike<number>, limit: number): void;
}

/** A table of its own for a test file. */
export function measured(title: string): Measured {
  const rows = new Map<string, { largest: number; limit: number }>();
  afterAll(() => {
    const where = `${place.browser ? 'Chromium' : 'Node'} ${place.backend === 'wasm' ? 'WASM' : 'WebGPU'}`;
    const lines = [...rows].map(([check, { largest, limit }]) => `| ${check} | ${text(largest)} | ${text(limit)} |`);
    console.log(
      [`${title}, ${where}`, '| check | largest difference | allowed |', '| --- | --- | --- |', ...lines].join('\n'),
    );
  });
  return {
    within(check, found, expected, limit) {
      const difference = differenceOf(found, expected);
      rows.set(check, { largest: Math.max(rows.get(check)?.largest ?? 0, difference), limit });
      expect(difference, check).toBeLessThanOrEqual(limit);
    },
  };
}

function text(difference: number): string {
  return difference === 0 ? '0' : difference.toExponential(1);
}

/** `count` ids below `vocabulary`, the same for every run. */
export function someIds(count: number, vocabulary: number): Int32Array {
  return Int32Array.from({ length: count }, (_, index) => (index * 37 + 11 + ((index * index) % 5)) % vocabulary);
}

/** 1 everywhere except for the named columns. */
export function factorsWith(tokens: number, changed: Readonly<Record<number, number>>): Float32Array {
  return Float32Array.from({ length: tokens }, (_, index) => changed[index] ?? 1);
}

/** 0 … count − 1. */
export function upTo(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, index) => index);
}
