import { describe, expect, it } from 'vitest';
import { shareFigure, SHARE_SIZE } from '../../../../src/figures/drawing/heat.ts';
import { madeUpContent, shapesOf, textsIn, wholeTile } from '../../../support/figures/source.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

const figureOf = (made: Parameters<typeof madeUpContent>[0] = {}) =>
  shareFigure({ typesetter, content: madeUpContent(made), picture: null });

describe('shareFigure', () => {
  it('has the size that sites ask for, headline, prompt, target and scale', () => {
    const figure = figureOf();
    expect(figure).toMatchObject(SHARE_SIZE);
    const texts = textsIn(figure);
    expect(texts.slice(0, 2)).toEqual([madeUpContent().lead, 'red or blue']);
    expect(texts).toEqual(expect.arrayContaining(['opposes  −2', '+2  supports']));
    expect(texts.at(-1)).toMatch(/^Target ‘a’ · m · Lightwell/);
  });

  it('keeps everything on the picture, and says that a long prompt goes on', () => {
    const prompt = 'river town '.repeat(300).trim();
    const figure = figureOf({ prompt, scores: { [prompt]: [3] } });
    for (const { baseline } of shapesOf(figure, 'words')) expect(baseline).toBeLessThan(SHARE_SIZE.height);
    expect(textsIn(figure).some((text) => text.endsWith('…'))).toBe(true);
  });

  it('says that a result is partial', () =>
    expect(textsIn(figureOf({ isPartial: true })).at(-1)).toMatch(/^Partial result/));

  it('names both scales where picture and text have one each', () => {
    const content = madeUpContent({ picture: { name: 'p', type: 'image/png', data: '' }, tiles: wholeTile(4) });
    const texts = textsIn(shareFigure({ typesetter, content, picture: { href: 'data:,', ratio: 1 } }));
    expect(texts).toContain('opposes');
    expect(texts.at(-1)).toMatch(/^Full colour: 5 in the picture, 2 in the text · Target/);
  });
});
