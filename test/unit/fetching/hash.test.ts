import { createHash as nodeHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHash, sha256Of, toHex } from '../../../src/fetching/hash.ts';

const BYTES = Uint8Array.from({ length: 1000 }, (_, i) => (i * 31) % 256);
const expected = (algorithm: string) => nodeHash(algorithm).update(BYTES).digest('hex');

describe('hashes', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['as the browser computes it', crypto],
    ['without `crypto.subtle`, on a page over plain HTTP', {}],
  ])('of a file in memory, %s', async (_, platform) => {
    vi.stubGlobal('crypto', platform);
    expect(await sha256Of(BYTES)).toBe(expected('sha256'));
    expect(await sha256Of(BYTES.subarray(0, 0))).toMatch(/^e3b0c442/);
  });

  it.each(['sha1', 'sha256'] as const)('of pieces: %s', (algorithm) => {
    const hash = createHash(algorithm).update(BYTES.subarray(0, 300)).update(BYTES.subarray(300));
    expect(hash.hex()).toBe(expected(algorithm));
  });

  it('are written with leading zeros', () => expect(toHex(Uint8Array.of(0, 10, 255))).toBe('000aff'));
});
