import { describe, expect, it } from 'vitest';
import { createFigurePage, type Face, label, shortened, shownText } from '../../../../src/figures/drawing/figure.ts';
import { shapesOf, textsIn } from '../../../support/figures/source.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

/** Characters are 5 points wide, lines 12 high, baselines 9 below their top. */
const FACE: Face = { family: 'sans', size: 10, weight: 400, leading: 12 };

describe('createSheet', () => {
  it('stacks what is added between its margins', () => {
    const sheet = createFigurePage(typesetter, { width: 70, margin: 10 });
    sheet.text('one two three', FACE);
    sheet.gap(5);
    sheet.add([{ kind: 'box', left: 1, top: 2, width: 3, height: 4, fill: '#000000' }], 20);
    const figure = sheet.figure('t');
    expect(figure).toMatchObject({ width: 70, height: 10 + 24 + 5 + 20 + 10, title: 't' });
    expect(textsIn(figure)).toEqual(['one two th', 'ree']);
    expect(shapesOf(figure, 'words').map(({ baseline }) => baseline)).toEqual([19, 31]);
    expect(shapesOf(figure, 'box')).toMatchObject([
      { width: 70, fill: '#ffffff' },
      { left: 11, top: 41 },
    ]);
  });
});

describe('label', () => {
  it.each([
    [{ left: 10 }, 10],
    [{ right: 40 }, 20],
    [{ middle: 50 }, 40],
  ])('stands at %j', (place, left) => {
    const words = label('four', { ...place, baseline: 7 }, { face: FACE, typesetter });
    expect(words).toMatchObject({ baseline: 7, runs: [{ text: 'four', left, width: 20 }] });
  });

  it('knows its direction', () => {
    const words = label('سلام', { left: 3, baseline: 7 }, { face: FACE, typesetter });
    expect(words).toMatchObject({ isRtl: true, runs: [{ left: 3, isRtl: true }] });
  });
});

describe('shortened', () => {
  const lines = typesetter.lay(['abcdefghij'], FACE, 20);

  it('leaves lines alone that fit', () => expect(shortened(lines, 3)).toBe(lines));
  it('ends the last one that is left with an ellipsis', () => {
    expect(shortened(lines, 2).map(({ fragments }) => fragments.map(({ text }) => text).join(''))).toEqual([
      'abcd',
      'ef…',
    ]);
  });
});

it('shows a tab as spaces', () => expect(shownText('a\tb')).toBe('a    b'));
