import { describe, expect, it } from 'vitest';
import { barsFigure } from '../../../../src/figures/drawing/charts.ts';
import { COLOURS } from '../../../../src/figures/colours.ts';
import { madeUpContent, shapesOf, textsIn } from '../../../support/figures/source.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

const figureOf = (made: Parameters<typeof madeUpContent>[0] = {}) =>
  barsFigure({ typesetter, content: madeUpContent(made) });
const bars = (figure: ReturnType<typeof figureOf>) =>
  shapesOf(figure, 'box').filter(({ stroke }) => stroke !== undefined);

describe('barsFigure', () => {
  it('draws the strongest first, with names and numbers, and the prompt below', () => {
    const texts = textsIn(figureOf());
    expect(texts.filter((text) => /^[+−\d]/.test(text))).toEqual(['+2.00', '−1.50', '+0.05']);
    expect(texts.indexOf('red')).toBeLessThan(texts.indexOf('blue'));
    expect(texts).toEqual(expect.arrayContaining(['Strongest sections, nats', 'Prompt', '‘red or blue’']));
  });

  it('marks estimates, and says what that means', () => {
    const texts = textsIn(figureOf({ margins: [null, 0.4, null] }));
    expect(texts).toEqual(expect.arrayContaining(['+2.00', '≈ −1.50', '+0.05', 'Estimates']));
    expect(texts.join(' ')).toContain('1 of 3 scores, marked by ≈');
    expect(textsIn(figureOf())).not.toContain('Estimates');
  });

  it('draws support to the right of zero and opposition to the left, on one scale', () => {
    const [red, blue, or] = bars(figureOf());
    expect([red?.fill, blue?.fill, or?.fill]).toEqual([COLOURS.supports, COLOURS.opposes, COLOURS.panel]);
    const zero = red?.left ?? Number.NaN;
    expect((blue?.left ?? 0) + (blue?.width ?? 0)).toBeCloseTo(zero);
    expect((red?.width ?? 0) / (blue?.width ?? 1)).toBeCloseTo(2 / 1.5);
  });

  it('leaves out an attention sink, which the facts name', () => {
    const figure = figureOf({ scores: { red: [40], blue: [-1.5], or: [0.05] }, hasSink: true });
    expect(bars(figure)).toHaveLength(2);
    expect(textsIn(figure).join(' ')).toContain('‘red’ (+40.00 nats), in grey');
  });

  it('stays between the margins', () => {
    const figure = figureOf();
    for (const { runs } of shapesOf(figure, 'words')) {
      for (const { left, width } of runs) {
        expect(left).toBeGreaterThanOrEqual(23.9);
        expect(left + width).toBeLessThanOrEqual(figure.width - 23.9);
      }
    }
  });

  it('tells of sections that are left out', () => {
    const words = Array.from({ length: 15 }, (_, index) => `w${index}x`);
    const scores = Object.fromEntries(words.map((word, index) => [word, [index]]));
    const figure = figureOf({ prompt: words.join(' '), scores });
    expect(bars(figure)).toHaveLength(12);
    expect(textsIn(figure)).toContain('The strongest 12 of 15 sections; the CSV file has them all.');
    expect(textsIn(figureOf()).join(' ')).not.toContain('The strongest');
  });
});
