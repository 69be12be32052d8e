import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createPause } from '../../../../../src/router/pause.ts';
import { decodeBase64 } from '../../../../../src/router/request/base64.ts';

const decode = (text: string) => decodeBase64([text], 'prompt[0].data', createPause());

describe('decodeBase64', () => {
  it('reads back any bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
        expect(await decode(Buffer.from(bytes).toString('base64'))).toEqual(Uint8Array.from(bytes));
      }),
    ));

  it('reads a file of several pieces, and pauses between them', async () => {
    const bytes = Uint8Array.from({ length: 500_001 }, (_, i) => (i * 31) % 251);
    let pauses = 0;
    const decoded = await decodeBase64([Buffer.from(bytes).toString('base64')], 'x', async () => void pauses++);
    expect(Buffer.compare(decoded, bytes)).toBe(0);
    expect(pauses).toBeGreaterThan(1);
  });

  it('reads a text in pieces of any length, its padding among them', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), fc.integer({ min: 1, max: 7 }), async (bytes, length) => {
        const text = Buffer.from(bytes).toString('base64');
        const count = Math.ceil(text.length / length);
        const pieces = Array.from({ length: count }, (_, i) => text.slice(i * length, (i + 1) * length));
        expect(await decodeBase64(pieces, 'x', createPause())).toEqual(Uint8Array.from(bytes));
      }),
    ));

  it.each([true, false])('reads a large file into memory that workers share, where there is any: %s', async (is) => {
    vi.stubGlobal('crossOriginIsolated', is);
    const text = Buffer.alloc(2_000_001, 7).toString('base64');
    const bytes = await decodeBase64([text], 'x', createPause());
    vi.unstubAllGlobals();
    expect(bytes.buffer instanceof SharedArrayBuffer).toBe(is);
    expect([bytes.length, bytes.every((byte) => byte === 7)]).toEqual([2_000_001, true]);
  });

  it.each([
    ['a space', 'AA A', '" " at offset 2'],
    ['a line end', 'AAAA\nAAA', '"\\n" at offset 4'],
    ['the alphabet for addresses', 'AA-_', '"-" at offset 2'],
    ['a character beyond ASCII', 'AÄAA', '"Ä" at offset 1'],
    ['padding in the middle', 'AA==AAAA', '"=" at offset 2'],
    ['too much padding', 'A===', '"=" at offset 1'],
    ['no padding', 'AAA', '3 characters, no multiple of 4'],
    ['one character too many', 'AAAAA', '5 characters, no multiple of 4'],
    ['bits behind the last byte', 'AB==', '"B" at offset 1'],
  ])('says where it meets %s', async (_, text, got) => {
    const message = `prompt[0].data: expected base64 of the standard alphabet with its padding, got ${got}`;
    await expect(decode(text)).rejects.toMatchObject({ failure: { code: 'INVALID_REQUEST', message } });
  });
});
