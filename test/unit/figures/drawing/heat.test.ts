import { describe, expect, it } from 'vitest';
import { heatFigure } from '../../../../src/figures/drawing/heat.ts';
import { COLOURS, markOf } from '../../../../src/figures/colours.ts';
import { madeUpContent, shapesOf, textsIn, wholeTile } from '../../../support/figures/source.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

const figureOf = (made: Parameters<typeof madeUpContent>[0] = {}, isBare = false) =>
  heatFigure({ typesetter, content: madeUpContent(made), picture: null, isBare });

/** Grounds of sections: boxes behind text that are higher than steps of the legend. */
const grounds = (figure: ReturnType<typeof figureOf>) => shapesOf(figure, 'box').filter(({ radius }) => radius === 2);

describe('heatFigure', () => {
  it('draws headline, prompt, legend and facts', () => {
    const texts = textsIn(figureOf());
    expect(texts[0]).toBe(madeUpContent().lead);
    expect(texts).toContain('red or blue');
    expect(texts).toEqual(expect.arrayContaining(['opposes  −2', '+2  supports', 'nats; below 0.1 no colour']));
    expect(texts).toEqual(expect.arrayContaining(['Target', 'Model', 'Settings', 'Scores']));
  });

  it('colours each section by its score, and what says nothing not at all', () => {
    const figure = figureOf();
    expect(grounds(figure).map(({ fill }) => fill)).toEqual([markOf(2, 2).fill, markOf(-1.5, 2).fill]);
    const [red, blue] = grounds(figure);
    expect(red).toMatchObject({ left: 24, width: 3 * 7.5 });
    expect(blue).toMatchObject({ left: 24 + 7 * 7.5, width: 4 * 7.5 });
  });

  it('colours an attention sink grey, and the others on their own scale', () => {
    const figure = figureOf({ scores: { red: [40], blue: [-1.5], or: [0.05] }, hasSink: true });
    expect(grounds(figure).map(({ fill }) => fill)).toEqual([markOf(40, 2, true).fill, markOf(-1.5, 2).fill]);
    expect(textsIn(figure)).toContain('opposes  −2');
  });

  it('shows the sign without colour: a whole line supports, a broken one opposes', () => {
    const below = shapesOf(figureOf(), 'rule').filter(({ thickness }) => thickness > 2 && thickness <= 3);
    expect(below.slice(0, 2)).toMatchObject([
      { isBroken: false, thickness: 3, colour: COLOURS.supportsEdge },
      { isBroken: true, thickness: 2.25, colour: COLOURS.opposesEdge },
    ]);
  });

  it('draws a dotted line below estimates alone', () => {
    const dotted = shapesOf(figureOf({ margins: [null, 0.4, null] }), 'path');
    expect(dotted).toMatchObject([{ dashes: [1, 2], colour: COLOURS.ink }]);
    const [, blue] = grounds(figureOf());
    expect(dotted[0]?.points[0]?.[0]).toBe(blue?.left);
    expect(shapesOf(figureOf(), 'path')).toEqual([]);
  });

  it('says that it is partial', () => {
    expect(textsIn(figureOf({ isPartial: true }))).toContain('Partial result: not all sections were explained.');
  });

  it('leaves headline and facts to a page that has them', () => {
    const texts = textsIn(figureOf({}, true));
    expect(texts[0]).toBe('red or blue');
    expect(texts).not.toContain('Settings');
  });

  it('colours a section on each of its lines', () => {
    const long = 'word '.repeat(40).trim();
    expect(grounds(figureOf({ prompt: long, scores: { [long]: [1] } }))).toHaveLength(3);
  });

  it('shows a section that is a line end', () => {
    expect(textsIn(figureOf({ prompt: 'a\nb', scores: { a: [1], '\n': [0.5], b: [0] } }, true)).slice(0, 2)).toEqual([
      'a↵',
      'b',
    ]);
  });

  it('lays tiles over the picture, which shines through, each part with a scale of its own', () => {
    const picture = { name: 'p', type: 'image/png', data: '' };
    const content = madeUpContent({ picture, tiles: wholeTile(-4) });
    const figure = heatFigure({ typesetter, content, picture: { href: 'data:,', ratio: 2 } });
    expect(shapesOf(figure, 'photo')).toMatchObject([{ href: 'data:,', width: 320, height: 160 }]);
    expect(shapesOf(figure, 'box').filter(({ opacity }) => opacity !== undefined)).toMatchObject([
      { fill: COLOURS.opposes, opacity: 0.64 * 0.8, width: 320, height: 160 },
    ]);
    expect(textsIn(figure)).toEqual(expect.arrayContaining(['opposes  −5', 'opposes  −2']));
  });
});
