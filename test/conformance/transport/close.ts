import assert from 'node:assert/strict';

/** Equal but for float32 rounding. @throws {AssertionError} with the largest difference */
export function assertClose(found: readonly number[], expected: readonly number[], tolerance = 1e-5): void {
  assert.equal(found.length, expected.length);
  assert.ok(expected.length > 0, 'nothing to compare');
  const scale = 1 + Math.max(...expected.map(Math.abs));
  const worst = Math.max(...found.map((value, i) => Math.abs(value - (expected[i] ?? NaN))));
  assert.ok(worst <= tolerance * scale, `off by ${worst}`);
}
