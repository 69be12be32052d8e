import type { Page } from 'playwright';
import { OPERATIONS, type Operation } from '../../test/e2e/faults/operations.ts';

/** What a hundred requests took, and what the page held after them. */
export interface Hundred {
  readonly requests: number;
  /** Of each request, in the order of `mix`. */
  readonly ms: readonly number[];
  /** Of page and workers, after a collection; null where it was not measured, which takes a minute. */
  readonly megabytes: number | null;
}

/** Requests of one round. */
export const ROUND = 100;

/** Memory is measured after the first hundred, then after each of so many requests, and after the last. */
const BETWEEN_MEASUREMENTS = 500;

/**
 * Sends rounds of the same hundred requests, all operations in turn, and measures each round. The first round warms the
 * page up: models load, code is compiled, caches fill.
 *
 * @param requests  of all rounds together, the first left out
 * @throws {Error} naming a request that is not answered with 200
 */
export async function soak(page: Page, requests: number, onRound: (round: Hundred) => void): Promise<Hundred[]> {
  const names = Object.keys(OPERATIONS) as Operation[];
  const mix = Array.from({ length: ROUND }, (_, index) => OPERATIONS[names[index % names.length] ?? 'embed']);
  const rounds: Hundred[] = [];
  for (let done = -ROUND; done < requests; done += ROUND) {
    const ms = await page.evaluate(async (asked) => {
      const times: number[] = [];
      for (const { path, body, accept } of asked) {
        const headers = { Authorization: `Bearer ${lightwell.token}`, Accept: accept };
        const startedMs = performance.now();
        const response = await lightwell.fetch(path, { method: 'POST', headers, body });
        const text = await response.text();
        times.push(performance.now() - startedMs);
        if (response.status !== 200 || text.includes('"failure"'))
          throw new Error(`${path}: ${response.status} ${text}`);
      }
      return times;
    }, mix);
    const count = done + ROUND;
    const isMeasured = count % BETWEEN_MEASUREMENTS === ROUND || count >= requests;
    const round = { requests: count, ms, megabytes: isMeasured ? await megabytesOf(page) : null };
    onRound(round);
    if (done >= 0) rounds.push(round);
  }
  return rounds;
}

/** Last round over first: the median over the requests of what each of them took. */
export function slowing(rounds: readonly Hundred[]): number {
  const [first, last] = [rounds[0]?.ms ?? [], rounds.at(-1)?.ms ?? []];
  const ratios = last.map((ms, index) => ms / (first[index] ?? NaN)).toSorted((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)] ?? NaN;
}

/** Last measurement over first. */
export function growth(rounds: readonly Hundred[]): number {
  const measured = rounds.flatMap(({ megabytes }) => megabytes ?? []);
  return (measured.at(-1) ?? NaN) / (measured[0] ?? NaN);
}

/** Scripts and WebAssembly of the page and its workers. @source Measure Memory API, for isolated pages */
function megabytesOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const measure: () => Promise<{ bytes: number }> = Reflect.get(performance, 'measureUserAgentSpecificMemory');
    return (await measure.call(performance)).bytes / 2 ** 20;
  });
}
