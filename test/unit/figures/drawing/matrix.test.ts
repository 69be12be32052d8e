import { describe, expect, it } from 'vitest';
import { matrixFigure } from '../../../../src/figures/drawing/charts.ts';
import { markOf } from '../../../../src/figures/colours.ts';
import { madeUpContent, shapesOf, textsIn } from '../../../support/figures/source.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

const figureOf = (made: Parameters<typeof madeUpContent>[0]) =>
  matrixFigure({ typesetter, content: madeUpContent(made) });

describe('matrixFigure', () => {
  const two = { target: ' a b', tokens: [' a', ' b'], scores: { red: [2, 0.5], blue: [-1.5, 0.01], or: [0, 0] } };

  it('draws a number for each section and target word', () => {
    const texts = textsIn(figureOf(two));
    expect(texts).toEqual(expect.arrayContaining(['␣a', '␣b', '+2.00', '+0.50', '−1.50', '+0.01', '0.00']));
  });

  it('colours the cells on one scale', () => {
    const cells = shapesOf(figureOf(two), 'box').filter(({ radius }) => radius === 2);
    expect(cells.map(({ fill }) => fill)).toEqual([2, 0.5, -1.5].map((score) => markOf(score, 2).fill));
  });

  it('goes on below with words that do not fit, all of them on the page', () => {
    const tokens = Array.from({ length: 50 }, (_, index) => ` t${index}`);
    const figure = figureOf({ target: tokens.join(''), tokens, scores: { red: tokens.map((_, index) => index / 10) } });
    const texts = textsIn(figure);
    for (const token of tokens) expect(texts).toContain(`␣${token.trim()}`);
    for (const { runs } of shapesOf(figure, 'words'))
      for (const { left, width } of runs) expect(left + width).toBeLessThanOrEqual(figure.width);
  });

  it('shortens words that are wider than their cell', () => {
    const long = 'Donaudampfschifffahrtsgesellschaft';
    expect(textsIn(figureOf({ target: long, tokens: [long] })).some((text) => /^Donau.*…$/.test(text))).toBe(true);
  });
});
