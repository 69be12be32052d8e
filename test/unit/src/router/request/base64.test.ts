import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPause } from '../../../../../src/router/pause.ts';
import { decodeBase64 } from '../../../../../src/router/request/base64.ts';

const decode = (text: string) => decodeBase64(text, 'prompt[0].data', createPause());

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
    const decoded = await decodeBase64(Buffer.from(bytes).toString('base64'), 'x', async () => void pauses++);
    expect(Buffer.compare(decoded, bytes)).toBe(0);
    expect(pauses).toBeGreaterThan(1);
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
