import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { estimatedTypesetter } from '../../../../server/render/estimated-typesetter.ts';
import { drawPng } from '../../../../server/render/draw-png.ts';
import { interactiveHtml, scoresHtml, scoresSvg } from '../../../../server/render/render-scores.ts';
import { FACES } from '../../../../src/figures/drawing/figure.ts';

const fixture = (name: string): unknown => {
  const file = new URL(`../../../support/figures/foreign/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).value;
};

const RECORD = {
  request: { prompt: 'Paris <b>is</b>', target: ' yes!' },
  response: {
    explanations: [' yes', '!'].map((target) => ({
      target,
      items: [{ type: 'text', scores: [{ start: 0, length: 5, score: 2 }, { start: 6, length: 3, score: -1 }] }],
    })),
  },
}; // prettier-ignore

/** What a reader sees of HTML or SVG, without white space. */
const seen = (markup: string) =>
  markup
    .replaceAll(/<(style|title)>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>|\s/g, '')
    .replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex, decimal) =>
      String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

describe('scoresHtml and scoresSvg', () => {
  it.each(['captum', 'inseq', 'shap', 'lime', 'context-cite', 'at2', 'neuronpedia'])(
    'draws what %s writes, as HTML and as SVG',
    (name) => {
      const value = fixture(name);
      const html = scoresHtml(value);
      const svg = scoresSvg(value);
      expect(html).toContain('default-src &#39;none&#39;');
      for (const markup of [html, svg]) {
        expect(markup).not.toMatch(/<script|javascript:|https?:(?!\/\/www\.w3\.org)/i);
        expect(seen(markup)).toContain('shareofthelargestscore');
      }
      expect(svg.match(/<rect/g)?.length).toBeGreaterThan(20);
    },
  );

  it('draws a record: all targets together, then each', () => {
    const html = scoresHtml(RECORD);
    expect(html.match(/<h2>.*?<\/h2>/g)).toEqual(['<h2>‘ yes!’</h2>', '<h2>‘ yes’</h2>', '<h2>‘!’</h2>']);
    expect(html).toContain('title="+4.00 nats"');
    expect(html).toContain('title="−2.00 nats"');
    for (const markup of [html, scoresSvg(RECORD)])
      expect(seen(markup).match(/Paris<b>is<\/b>/g), 'the text as it is').toHaveLength(3);
  });

  it('draws hostile texts as texts', () => {
    const text = '</svg><script>alert(1)</script>\0\uD800 שלום 日本語 🐈';
    const value = { data: [text], values: [1], output_names: '"><img src=x>' };
    for (const draw of [scoresHtml, scoresSvg]) {
      const markup = draw(value);
      expect(markup).not.toMatch(/<script|<img|\0/);
      expect(markup.match(/<\/svg>/g)?.length ?? 0).toBe(draw === scoresSvg ? 1 : 0);
    }
    const interactive = interactiveHtml(value, 'export {};');
    expect(interactive.match(/<\/?script/g), 'its own').toEqual(['<script', '</script']);
  });

  it('allows the element alone, by its hash', () => {
    const html = interactiveHtml(RECORD, 'export {};');
    const [, code = ''] = /<script type="module">(.*?)<\/script>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(code).digest('base64');
    expect(html).toContain(`default-src &#39;none&#39;`);
    expect(html).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(code).toContain(JSON.stringify(['Paris']).slice(1, -2));
    expect(html.match(/<h2/g), 'the reader chooses the target').toBeNull();
  });

  it.each([
    ['a list', [], /^scores: expected an object with/],
    ['a score that is none', { data: ['a'], values: ['x'] }, 'values[0]: expected a finite number, got "x"'],
  ])('refuses %s', (_, value, message) => {
    expect(() => scoresSvg(value)).toThrow(message);
  });
});

describe('drawPng', () => {
  it.each([
    ['no browser', '/no/browser', 'at CHROMIUM_PATH, got none at /no/browser'],
    ['a browser that draws nothing', 'false', '--png: false has drawn nothing'],
  ])('refuses %s', (_, browser, message) => {
    expect(() => drawPng((module) => scoresHtml(RECORD, module), browser)).toThrow(message);
  });

  it('lets the page run the module that measures it', () => {
    let drawn = '';
    const page = (module: string) => (drawn = scoresHtml(RECORD, module));
    expect(() => drawPng(page, 'false')).toThrow('nothing');
    expect(drawn).toMatch(/<script type="module">const .*dataset\.height = .*<\/script>/);
  });
});

describe('estimatedTypesetter', () => {
  const lay = (text: string, width: number) =>
    estimatedTypesetter
      .lay([text], FACES.text, width)
      .map(({ fragments }) => fragments.map((fragment) => fragment.text).join(''));

  it('ends lines between words, and anywhere in a word that is longer than a line', () => {
    expect(lay('one two three', 60)).toEqual(['one two', 'three']);
    expect(lay('w'.repeat(12), 70).join('')).toBe('w'.repeat(12));
    expect(lay('w'.repeat(12), 70).length).toBeGreaterThan(1);
    expect(lay('a\n\nb', 100)).toEqual(['a', '', 'b']);
  });

  it('begins lines from right to left at the right, and gives marks no width', () => {
    const [line] = estimatedTypesetter.lay(['שלום'], FACES.text, 100);
    const [fragment] = line?.fragments ?? [];
    expect(line?.isRtl).toBe(true);
    expect((fragment?.left ?? 0) + (fragment?.width ?? 0)).toBeCloseTo(100);
    expect(estimatedTypesetter.width('e\u0301', FACES.text)).toBe(estimatedTypesetter.width('e', FACES.text));
  });

  it('places what runs against its line as it is read', () => {
    const textsOf = (pieces: readonly string[]) => {
      const [line] = estimatedTypesetter.lay(pieces, FACES.text, 400);
      const { fragments = [] } = line ?? {};
      return fragments.toSorted((one, other) => one.left - other.left).map(({ text }) => text);
    };
    expect(textsOf(['a ', 'שלום', ' ', 'עולם', ' b']), 'the second Hebrew word is left of the first').toEqual([
      'a ',
      'עולם',
      ' ',
      'שלום',
      ' b',
    ]);
    expect(textsOf(['שלום ', 'new', ' ', 'york', ' עולם'])).toEqual([' עולם', 'new', ' ', 'york', 'שלום ']);
  });
});
