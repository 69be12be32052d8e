import { describe, expect, it } from 'vitest';
import type { VectorFigure, TextShape } from '../../../../src/figures/drawing/figure.ts';
import { svgOf } from '../../../../src/figures/writers/svg.ts';

const FACE = { family: 'sans', size: 10, weight: 400, leading: 12 } as const;
const words = (texts: readonly string[], isRtl = false): TextShape => ({
  kind: 'words',
  face: FACE,
  colour: '#24211b',
  baseline: 9,
  isRtl,
  runs: texts.map((text, index) => ({ text, left: 20 * index, width: 20, isRtl })),
});
const figure = (...shapes: VectorFigure['shapes']): VectorFigure => ({
  width: 100,
  height: 50,
  title: 'A & B',
  shapes,
});

describe('svgOf', () => {
  it('has the size of the figure, and its title', () => {
    expect(svgOf(figure())).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50" role="img">\n<title>A &amp; B</title>\n</svg>\n',
    );
  });

  it('writes each shape, and text above all others', () => {
    const svg = svgOf(
      figure(
        words(['x']),
        {
          kind: 'box',
          left: 1,
          top: 2,
          width: 3.456,
          height: 4,
          fill: '#ffffff',
          opacity: 0.5,
          radius: 2,
          stroke: '#000000',
        },
        { kind: 'rule', left: 1, top: 9, width: 10, thickness: 2, colour: '#c06400', isBroken: true },
        { kind: 'photo', left: 0, top: 0, width: 5, height: 5, href: 'data:image/png;base64,AA==' },
      ),
    );
    expect(svg.split('\n').slice(2, -2)).toEqual([
      '<rect x="1" y="2" width="3.46" height="4" fill="#ffffff" rx="2" fill-opacity="0.5" stroke="#000000" stroke-width="0.75"/>',
      '<line x1="1" y1="9" x2="11" y2="9" stroke="#c06400" stroke-width="2" stroke-dasharray="4 3"/>',
      '<image x="0" y="0" width="5" height="5" href="data:image/png;base64,AA=="/>',
      expect.stringContaining('>x</tspan></text>'),
    ]);
  });

  it('escapes text and font names', () => {
    const svg = svgOf(figure(words(['<script>&"'])));
    expect(svg).toContain('&lt;script&gt;&amp;&quot;</tspan>');
    expect(svg).toContain('font-family="-apple-system, &#39;Segoe UI&#39;');
  });

  it('places words, and leaves the letters of a word together', () => {
    expect(svgOf(figure(words(['Pa', 'ris ', 'is'])))).toContain('<tspan x="0">Paris </tspan><tspan x="40">is</tspan>');
  });

  it('leaves the order of text from right to left to the reader, within its own width', () => {
    const svg = svgOf(figure(words(['مدينة ', 'Paris'], true)));
    expect(svg).toContain(
      'x="40" y="9" direction="rtl" textLength="40" lengthAdjust="spacingAndGlyphs">مدينة Paris</text>',
    );
    expect(svgOf(figure(words(['Paris ', 'مدينة'])))).toContain('x="0" y="9" direction="ltr" textLength="40"');
  });

  it('holds nothing that runs or loads', () => {
    const svg = svgOf(figure(words(['" onload="alert(1)', '<image href="https://a.example/b.png"/>'])));
    expect(svg).not.toMatch(/<(?!\/?(svg|title|text|tspan)\b)/);
    expect(svg).not.toMatch(/ on\w+="/);
  });
});
