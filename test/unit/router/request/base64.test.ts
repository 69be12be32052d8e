import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../../../src/router/request/text.ts';

const decode = (text: string) => decodeBase64(text, 'prompt[0].data');

/** What newer platforms have, as strict as they are by default. @source ECMAScript, sec-frombase64 */
function fromBase64(text: string): Uint8Array {
  if (/[^A-Za-z0-9+/=\s]|=[^=\s]|===/.test(text)) throw new SyntaxError('unexpected character');
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

describe.each([
  ['with `Uint8Array.fromBase64`', fromBase64],
  ['with `atob` alone', undefined],
])('decodeBase64 %s', (_, platform) => {
  const own = Reflect.get(Uint8Array, 'fromBase64') as unknown;
  beforeAll(() => void Reflect.set(Uint8Array, 'fromBase64', platform));
  afterAll(() => void Reflect.set(Uint8Array, 'fromBase64', own));

  it('reads back any bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
        expect(await decode(Buffer.from(bytes).toString('base64'))).toEqual(Uint8Array.from(bytes));
      }),
    ));

  it('reads a large file', async () => {
    const bytes = await decode(Buffer.alloc(2_000_001, 7).toString('base64'));
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
