import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { colouringOf, HUES, STEPS } from '../../../../../src/pages/meaning/map/colouring.ts';
import { svgOf } from '../../../../../src/figures/writers/svg.ts';
import { countingTypesetter } from '../../../../support/figures/typesetter.ts';
import { GROUP_COLOURS, mapFigure } from '../../../../../src/pages/meaning/map/map-figure.ts';

const TOKENS = readFileSync(new URL('../../../../../src/app/styles/tokens.css', import.meta.url), 'utf8');

describe('the figure of a map', () => {
  it('has the colours of the light theme', () => {
    expect(GROUP_COLOURS).toHaveLength(HUES + 1 + STEPS);
    for (const [hue, colour] of GROUP_COLOURS.entries())
      expect(TOKENS).toContain(`  --group-${hue}: light-dark(${colour}, `);
  });

  it('has a dot for each text, and a legend', () => {
    const colouring = colouringOf(['parcel', 'parcel', 'refund'], (topic) => [topic]);
    const points = Float32Array.of(0, 0, 1, 1, -1, -1);
    const figure = mapFigure({
      title: 'Map',
      points,
      colouring,
      other: 'others',
      notes: ['UMAP'],
      typesetter: countingTypesetter,
    });
    expect(figure.shapes.filter((shape) => shape.kind === 'box')).toHaveLength(1 + 3 + 2);
    const svg = svgOf(figure);
    for (const text of ['Map', 'parcel (2)', 'refund (1)', 'UMAP']) expect(svg).toContain(text);
  });
});
