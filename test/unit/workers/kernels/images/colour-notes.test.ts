import { describe, expect, it } from 'vitest';
import { withoutColourNotes } from '../../../../../workers/kernels/images/colour-notes.ts';

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const kept = (file: string) => withoutColourNotes(bytesOf(file)).map((part) => String.fromCharCode(...part));

/** A chunk of PNG with data of up to 255 bytes; nothing here reads its checksum. */
const chunk = (name: string, data: string) => `\0\0\0${String.fromCharCode(data.length)}${name}${data}\x01\x02\x03\x04`;
/** A segment of JPEG with data of up to 253 bytes. */
const segment = (marker: string, data: string) => `\xff${marker}\0${String.fromCharCode(data.length + 2)}${data}`;

const PNG = '\x89PNG\r\n\x1a\n';
const SIZE = chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0');
const PIXELS = chunk('IDAT', 'gAMA') + chunk('IEND', '');
const JPEG = '\xff\xd8';
const PROFILE = segment('\xe2', 'ICC_PROFILE\0\x01\x01profile');
const TURNED = segment('\xe1', 'Exif\0\0note');
const SCAN = segment('\xda', 'scan') + PROFILE;

describe('withoutColourNotes', () => {
  it.each(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP'])('leaves %s out of a PNG file', (name) => {
    expect(kept(PNG + SIZE + chunk(name, 'note') + PIXELS)).toEqual([PNG + SIZE, PIXELS]);
  });
  it('keeps transparency and text of a PNG file', () => {
    const file = PNG + SIZE + chunk('tRNS', '\0\0') + chunk('tEXt', 'gAMA') + PIXELS;
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
    ['a PNG file', PNG + SIZE + chunk('iCCP', 'profile').slice(0, -6)],
    ['a PNG file, in the head of a chunk', `${PNG + SIZE}\0\0\0`],
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
    const file = PNG + SIZE + chunk('gAMA', 'note') + PIXELS;
    const parts = withoutColourNotes(bytesOf(`before${file}`).subarray(6));
    expect(parts.map(({ length }) => length)).toEqual([PNG.length + SIZE.length, PIXELS.length]);
  });
});
