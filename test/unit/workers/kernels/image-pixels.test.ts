import pillow from './pillow.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { normalisedPixels, resampled, withoutColourMetadata } from '../../../../workers/kernels/image-pixels.ts';

const SIZE = 7;
const picture = Uint8ClampedArray.from({ length: SIZE * SIZE * 4 }, (_, i) => {
  const [y, x, channel] = [Math.floor(i / 4 / SIZE), Math.floor(i / 4) % SIZE, i % 4];
  return [(x * 37 + y * 11) % 256, (x * x * 9 + y * 50) % 256, (255 - x * 20 - y * 13) % 256, 77][channel] ?? 0;
});

describe('resampled', () => {
  // What Pillow 12.3 makes of it: all of 3 × 3, and row 4 of 10 × 10.
  it.each(['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'] as const)(
    'gives what Pillow does, %s',
    (filter) => {
      const { small, row } = pillow[filter];
      const found = [
        ...resampled(picture, { size: SIZE, side: 3, filter }),
        ...resampled(picture, { size: SIZE, side: 10, filter }).slice(120, 150),
      ];
      const differences = [...small, ...row].map((value, i) => Math.abs(value - (found[i] ?? NaN)));
      // Pillow computes with weights rounded to 22 bits: a half may fall to the other side.
      expect(Math.max(...differences)).toBeLessThanOrEqual(1);
      expect(differences.filter((difference) => difference > 0).length).toBeLessThanOrEqual(1);
    },
  );

  it('leaves a picture of the right size as it is', () => {
    const same = resampled(picture, { size: SIZE, side: SIZE, filter: 'bicubic' });
    expect([...same]).toEqual([...picture].filter((_, i) => i % 4 < 3));
  });
});

describe('normalisedPixels', () => {
  it('puts channels one behind the other, scaled and shifted', () => {
    const pixels = Uint8ClampedArray.of(0, 100, 200, 50, 150, 250);
    const scaling = { scale: 0.01, mean: [0, 1, 2], deviation: [1, 0.5, 0.25] };
    expect([...normalisedPixels(pixels, scaling)]).toEqual([0, 0.5, 0, 1, 0, 2]);
  });
});

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const kept = (file: string) => withoutColourMetadata(bytesOf(file)).map((part) => String.fromCharCode(...part));

/** A chunk of PNG with data of up to 255 bytes; nothing here reads its checksum. */
const chunk = (name: string, data: string) => `\0\0\0${String.fromCharCode(data.length)}${name}${data}\x01\x02\x03\x04`;
/** A segment of JPEG with data of up to 253 bytes. */
const segment = (marker: string, data: string) => `\xff${marker}\0${String.fromCharCode(data.length + 2)}${data}`;

const PNG = '\x89PNG\r\n\x1a\n';
const HEADER = chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0');
const PIXELS = chunk('IDAT', 'gAMA') + chunk('IEND', '');
const JPEG = '\xff\xd8';
const PROFILE = segment('\xe2', 'ICC_PROFILE\0\x01\x01profile');
const TURNED = segment('\xe1', 'Exif\0\0note');
const SCAN = segment('\xda', 'scan') + PROFILE;

describe('withoutColourNotes', () => {
  it.each(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP'])('leaves %s out of a PNG file', (name) => {
    expect(kept(PNG + HEADER + chunk(name, 'note') + PIXELS)).toEqual([PNG + HEADER, PIXELS]);
  });
  it('keeps transparency and text of a PNG file', () => {
    const file = PNG + HEADER + chunk('tRNS', '\0\0') + chunk('tEXt', 'gAMA') + PIXELS;
    expect(kept(file)).toEqual([file]);
  });
  it('leaves every profile out of a JPEG file, and keeps how it is turned', () => {
    expect(kept(JPEG + PROFILE + TURNED + PROFILE + SCAN)).toEqual([JPEG, TURNED, SCAN]);
  });
  it('keeps other segments with the marker of a profile', () => {
    const file = JPEG + segment('\xe2', 'MPF\0several pictures') + SCAN;
    expect(kept(file)).toEqual([file]);
  });
  it.each([
    ['a PNG file', PNG + HEADER + chunk('iCCP', 'profile').slice(0, -6)],
    ['a PNG file, in the head of a chunk', `${PNG + HEADER}\0\0\0`],
    ['a JPEG file', JPEG + TURNED + PROFILE.slice(0, -1)],
    ['a JPEG file, in the head of a segment', `${JPEG}\xff\xe2\0`],
    ['a PNG file after its first byte', '\x89'],
    ['an empty file', ''],
  ])('keeps the end where %s is cut off', (_, file) => expect(kept(file)).toEqual([file]));
  it('leaves files of other formats as they are', () => {
    const file = 'RIFF\x10\0\0\0WEBPICCP\x04\0\0\0gAMA';
    expect(kept(file)).toEqual([file]);
  });
  it('reads a file that lies within a larger block of memory', () => {
    const file = PNG + HEADER + chunk('gAMA', 'note') + PIXELS;
    const parts = withoutColourMetadata(bytesOf(`before${file}`).subarray(6));
    expect(parts.map(({ length }) => length)).toEqual([PNG.length + HEADER.length, PIXELS.length]);
  });
});
