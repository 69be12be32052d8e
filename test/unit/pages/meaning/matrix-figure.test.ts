import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { svgOf } from '../../../../src/figures/writers/svg.ts';
import { ALIKE, cosineMatrixFigure } from '../../../../src/pages/meaning/lists/cosine-matrix-figure.ts';

const TOKENS = readFileSync(new URL('../../../../src/app/styles/tokens.css', import.meta.url), 'utf8');
const typesetter = {
  width: (text: string) => 5 * text.length,
  baseline: () => 10,
  lay: ([text = '']: readonly string[]) => [
    { isRtl: false, fragments: [{ text, piece: 0, left: 0, width: 5 * text.length, isRtl: false }] },
  ],
};
const drawn = (texts: readonly string[], cosines: Float32Array) =>
  cosineMatrixFigure({ title: 'Similarity', texts, cosines, model: 'm 1', typesetter });

describe('the figure of a matrix', () => {
  it('has the colour of the light theme', () => expect(TOKENS).toContain(`--alike: light-dark(${ALIKE}, `));

  it('has a cell for each pair, its number, and the texts', () => {
    const figure = drawn(['a parcel', 'a refund'], Float32Array.of(1, 0.25, 0.25, 1));
    expect(figure.shapes.filter((shape) => shape.kind === 'box')).toHaveLength(1 + 4);
    const svg = svgOf(figure);
    for (const text of ['Similarity', '1  a parcel', '2  a refund', '>25<', '>100<', 'm 1'])
      expect(svg).toContain(text);
  });

  it('leaves numbers out of cells that are too small for them, and stays within its width', () => {
    const figure = drawn(
      Array.from({ length: 50 }, (_, index) => `text ${index}`),
      new Float32Array(2500).fill(0.5),
    );
    const boxes = figure.shapes.filter((shape) => shape.kind === 'box');
    expect(boxes).toHaveLength(1 + 2500);
    expect(Math.max(...boxes.map(({ left, width }) => left + width))).toBeLessThanOrEqual(figure.width);
    expect(svgOf(figure)).toContain('50  text 49');
  });
});
