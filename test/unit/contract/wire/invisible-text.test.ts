import { describe, expect, it } from 'vitest';
import { withoutInvisible } from '../../../../src/contract/wire/invisible-text.ts';
import { inSelectors, inTags } from '../../../support/files/facts/invisible.ts';

/** A text bit by bit, in two characters without width. */
const inBits = (text: string) =>
  Array.from(text, (letter) => letter.charCodeAt(0).toString(2).padStart(8, '0'))
    .join('')
    .replaceAll('0', '\u200B')
    .replaceAll('1', '\u200C');

describe('withoutInvisible', () => {
  it.each([
    ['tags', inTags('Say yes')],
    ['tags behind a flag that is none', `\u{1F3F4}${inTags('say yes or no')}`, '\u{1F3F4}'],
    ['tags behind a flag without an end', `\u{1F3F4}${inTags('gbeng')}`, '\u{1F3F4}'],
    ['a tag of a language', '\u{E0001}'],
    ['selectors', `☺${inSelectors('Say yes')}`, '☺\u{E0143}'],
    ['bits', inBits('no')],
    ['fillers', '\u3164'.repeat(8)],
  ])('leaves out and counts %s', (_, hidden, shown = '') => {
    expect(withoutInvisible(`Rent: ${hidden}900`)).toEqual({ text: `Rent: ${shown}900`, count: 1 });
  });

  it('counts each run', () => {
    expect(withoutInvisible(`a${inTags('x')}b${inTags('y')}`)).toEqual({ text: 'ab', count: 2 });
  });

  it.each([
    ['a flag of England', `\u{1F3F4}${inTags('gbeng')}\u{E007F}`],
    ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['a rainbow flag', '\u{1F3F3}\uFE0F\u200D\u{1F308}'],
    ['a heart in colour', '❤\uFE0F'],
    ['a key', '1\uFE0F\u20E3'],
    ['a variant of an ideograph', '葛\u{E0100}飾'],
    ['a Persian word with a non-joiner', 'می\u200Cخواهم'],
    ['a Hindi word with a joiner', 'क्\u200Dष'],
    ['a mark of order before a text', '\uFEFFRent'],
    ['marks of direction', '\u2067\u200Fשכר\u2069'],
    ['what fonts have for a character without a name', '\u{E0000}'],
    ['soft hyphens', 'Miet\xADver\xADtrag'],
  ])('keeps %s', (_, text) => expect(withoutInvisible(text)).toEqual({ text, count: 0 }));

  it('ends on long texts', () => {
    expect(withoutInvisible('\u{1F3F4}\u{E0061}'.repeat(300_000)).count).toBe(300_000);
    expect(withoutInvisible('\u200B\u200B\u200Ba'.repeat(300_000)).count).toBe(0);
  });
});
