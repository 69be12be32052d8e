import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../src/contract/failure.ts';
import { routerTransport } from '../../support/fakes/router-transport.ts';
import { createAsk } from '../transport/ask.ts';
import { mutatedBodyOf, SEEDS } from './mutated-bodies.ts';

/** The whole of `npm test` sends as many; the everyday check names fewer. */
const BODIES = Number(process.env.FUZZ_BODIES ?? 10_000);
/** Growth of the heap that counts as none: caches fill, the machine collects when it likes. */
const HEAP_BYTES = 24 * 2 ** 20;
/** Nothing that a body says makes this right: it is the service's own fault. */
const FAULT: number = STATUS.INTERNAL;

/** Bytes in use once everything unreachable is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose_gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new TypeError('this runtime does not let its heap be collected');
  collect();
  return process.memoryUsage().heapUsed;
}

describe('mutated bodies', () => {
  it('start from good ones', async () => {
    const { transport, described } = routerTransport();
    const ask = createAsk(transport, described);
    // The Docx of the last seed is four bytes of a zip file, so that mutations reach the code behind the check.
    for (const { path, body } of SEEDS.slice(0, -1)) await ask.ok(path, body);
  });

  it(`are answered with documented statuses, without faults, hangs or leaks: ${BODIES} of them`, async () => {
    const { transport, described } = routerTransport();
    const ask = createAsk(transport, described);
    const counts: Record<number, number> = {};
    const allowed = new Set<number>([200, ...Object.values(STATUS)]);
    let done = 0;
    let heapBefore = 0;
    const property = fc.asyncProperty(mutatedBodyOf(SEEDS), async ({ path, body }) => {
      if (done++ === BODIES / 5) heapBefore = heapBytes(); // after the caches are filled
      const { status, text } = await ask.raw(path, body);
      counts[status] = (counts[status] ?? 0) + 1;
      if (!allowed.has(status) || status === FAULT) throw new Error(`${status}: ${text}`);
    });
    await fc.assert(property, { numRuns: BODIES, seed: Number(process.env.FUZZ_SEED ?? 1), endOnFailure: false });
    const grown = heapBytes() - heapBefore;
    console.log(`${done} bodies: ${JSON.stringify(counts)}, heap grown by ${(grown / 2 ** 20).toFixed(1)} MB`);
    expect(counts[200]).toBeGreaterThan(BODIES / 20);
    expect(grown).toBeLessThan(HEAP_BYTES);
  });
});
