import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesAround, sentencesOf } from '../../../../../workers/kernels/text/sentences.ts';

const cut = (text: string) => sentencesOf(text).map(({ start, length }) => text.slice(start, start + length));

describe('sentencesOf', () => {
  it.each([
    ['behind a point, an exclamation or a question', 'It is. Is it? What?! Yes', ['It is.', 'Is it?', 'What?!', 'Yes']],
    [
      'behind closing quotes and brackets',
      'He said “Go.” (Really.) "No." So',
      ['He said “Go.”', '(Really.)', '"No."', 'So'],
    ],
    ['at the end of a line', 'One\nTwo. Three\r\nFour', ['One', 'Two.', 'Three', 'Four']],
    [
      'behind full stops without a space where the script has none',
      '今日は。明日！はい',
      ['今日は。', '明日！', 'はい'],
    ],
    ['behind points that trail off before a capital', 'Wait... what? Wait... No', ['Wait... what?', 'Wait...', 'No']],
    ['behind a word that is an abbreviation only before numbers', 'No. I will not.', ['No.', 'I will not.']],
    ['behind a word that is a title only with a capital', 'I did one rep. Then two.', ['I did one rep.', 'Then two.']],
  ])('cuts %s', (_, text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  it.each([
    ['titles', 'Dr. Smith and Mrs. Jones saw Prof. Gray.'],
    ['times of day', 'Open from 8 a.m. Monday to 7 p.m. Friday.'],
    ['points inside', 'In the U.S. Congress, i.e. There, e.g. This, a Ph.D. Thesis.'],
    ['initials', 'By J. R. R. Tolkien and George W. Bush.'],
    ['what counts', 'No. 5, Fig. 3, pp. 7, Jan. 5 and vol. 2.'],
    ['other abbreviations', 'Cats vs. Dogs, etc. And Acme Inc. Stock approx. Ten.'],
    ['small letters', 'It is 5 in. wide, for approx. ten.'],
    ['numbers and names with points', 'Version 3.5 of example.com, Node.JS and v1.A.'],
    ['entries of lists', '12. First of all'],
    ['commas and dashes behind marks', 'He said “Go!”, “now!” – and left (etc.), twice.'],
  ])('does not cut at %s', (_, text) => {
    expect(cut(text)).toEqual([text]);
  });

  it('puts every character but white space into exactly one sentence, in order', () => {
    const unit = fc.constantFrom(...'aA1.!?。…"”)(,- \n\r\t', 'Dr', 'e.g.', '😀');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit })), (text) => {
        const sentences = sentencesOf(text);
        const ends = [0, ...sentences.map(({ start, length }) => start + length)];
        const between = sentences.map(({ start }, i) => text.slice(ends[i], start));
        expect([...between, text.slice(ends.at(-1))].join('').trim()).toBe('');
        expect(sentences.every(({ start, length }, i) => length > 0 && start >= (ends[i] ?? 0))).toBe(true);
      }),
    );
  });
});

describe('sentencesAround', () => {
  const text = 'One came. Two went. Three stayed.';
  const around = (part: string) => {
    const { start, length } = sentencesAround(text, { start: text.indexOf(part), length: part.length });
    return text.slice(start, start + length);
  };

  it.each([
    ['wen', 'Two went.'],
    ['came. Two', 'One came. Two went.'],
    ['Three stayed.', 'Three stayed.'],
    [' ', ' '],
  ])('of %j are %j', (part, sentences) => expect(around(part)).toBe(sentences));
});
