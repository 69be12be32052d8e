import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageHeader } from '../../../../src/router/request/prompt.ts';
import { encodePng } from '../../../support/files/png.ts';

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
const webp = (chunk: string, ...body: number[]) =>
  Uint8Array.from([
    ...ascii('RIFF'),
    0,
    0,
    0,
    0,
    ...ascii('WEBP'),
    ...ascii(chunk),
    0,
    0,
    0,
    0,
    ...body,
    ...Array(16).fill(0),
  ]);
const bits = (width: number, height: number) => {
  const value = (width - 1) | ((height - 1) << 14);
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];
};
const jpeg = (...segments: number[][]) => Uint8Array.from([0xff, 0xd8, ...segments.flat()]);
const APP0 = [0xff, 0xe0, 0, 6, 1, 2, 3, 4];
const frame = (marker: number) => [0xff, marker, 0, 17, 8, 1, 44, 2, 88, 3, 0, 0, 0];

describe('imageHeader', () => {
  it.each([
    ['PNG', 'as written', encodePng(7, 5, () => [1, 2, 3]), { width: 7, height: 5 }],
    ['JPEG', 'baseline', jpeg(APP0, frame(0xc0)), { width: 600, height: 300 }],
    [
      'JPEG',
      'progressive, behind tables and fill bytes',
      jpeg([0xff, 0xc4, 0, 3, 0], [0xff], frame(0xc2)),
      { width: 600, height: 300 },
    ],
    ['WebP', 'lossy', webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x58, 0x42, 0x2c, 0x81), { width: 600, height: 300 }],
    ['WebP', 'lossless', webp('VP8L', 0x2f, ...bits(600, 300)), { width: 600, height: 300 }],
    ['WebP', 'extended', webp('VP8X', 0, 0, 0, 0, 0x57, 2, 0, 0x2b, 1, 0), { width: 600, height: 300 }],
  ] as const)('reads %s, %s', (format, _, bytes, size) => {
    expect(imageHeader(bytes)).toEqual({ format, size });
  });

  it.each([
    ['PNG', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0)],
    ['JPEG', jpeg(APP0)],
    ['JPEG', jpeg([0xff, 0xda, 0, 8, ...Array<number>(8).fill(0)])],
    ['WebP', webp('ALPH')],
  ] as const)('says when a %s names no size', (format, bytes) => {
    expect(imageHeader(bytes)).toEqual({ format, size: undefined });
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['GIF', Uint8Array.from([...ascii('GIF89a'), 1, 0, 1, 0])],
    ['BMP', Uint8Array.from([...ascii('BM'), ...Array(30).fill(1)])],
    ['SVG', Uint8Array.from(ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['AVIF', Uint8Array.from([0, 0, 0, 32, ...ascii('ftypavif'), ...Array(24).fill(0)])],
    ['a sound in RIFF', Uint8Array.from([...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WAVEfmt '), ...Array(24).fill(0)])],
  ])('does not know %s', (_, bytes) => expect(imageHeader(bytes)).toBeUndefined());

  it('comes to an end on any bytes', () => {
    const start = fc.constantFrom(
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [0xff, 0xd8, 0xff],
      ascii('RIFF1234WEBPVP8 '),
    );
    fc.assert(
      fc.property(start, fc.array(fc.integer({ min: 0, max: 255 })), (head, rest) => {
        imageHeader(Uint8Array.from([...head, ...rest]));
      }),
    );
  });
});
