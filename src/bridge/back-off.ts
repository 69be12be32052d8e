const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * How long to wait before the next attempt: doubling from half a second to ten, spread by a fifth, so that many tabs do not
 * come back to a restarted server in the same instant.
 *
 * @param failures  attempts that failed in a row, from 1
 * @param random    0 ≤ random < 1
 */
export function backOffMs(failures: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)) * (0.9 + 0.2 * random);
}
