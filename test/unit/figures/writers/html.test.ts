import { describe, expect, it } from 'vitest';
import { markOf } from '../../../../src/figures/colours.ts';
import { htmlOf } from '../../../../src/figures/writers/html.ts';
import { madeUpContent, wholeTile } from '../../../support/figures/source.ts';

describe('htmlOf', () => {
  it('is one element with caption, text, legend and facts', () => {
    const html = htmlOf(madeUpContent(), null);
    expect(html).toMatch(/^<figure [^>]*>\n<figcaption>.*<\/figcaption>[^]*<\/figure>\n$/);
    for (const part of ['<b>Target:</b>', '<b>Model:</b>', '<b>Settings:</b>', '<b>Scores:</b>', 'opposes &minus;2'])
      expect(html).toContain(part);
  });

  it('gives each section its number and its colour', () => {
    const html = htmlOf(madeUpContent(), null);
    expect(html).toContain(`,${markOf(2, 2).fill};`);
    expect(html).toMatch(/<span title="\+2\.00 nats" style="background:linear-gradient[^"]*">red<\/span> <span/);
    expect(html).toMatch(
      /<span title="&#8722;1\.50 nats" style="background:repeating-linear-gradient[^"]*">blue<\/span>/,
    );
    expect(html).toContain('<span title="+0.05 nats">or</span>'); // too small for a colour
  });

  it('is ASCII, so that it can be pasted into a page of any encoding', () => {
    const html = htmlOf(madeUpContent({ prompt: 'مدينة 👧', scores: { مدينة: [1] } }), null);
    expect(html).toMatch(/^[\t\n -~]*$/);
    expect(html).toContain('&#128103;');
    expect(html).toContain('unicode-bidi:plaintext');
  });

  it('lets no text become an element or an attribute', () => {
    const nasty = '<img src=x onerror=alert(1)>"&</div>';
    const html = htmlOf(madeUpContent({ prompt: nasty, target: nasty, scores: { [nasty]: [1] } }), null);
    expect(html).not.toMatch(/<(?!\/?(figure|figcaption|b|div|span|p|br)\b)/);
  });

  it('says that it is partial, and holds the picture', () => {
    expect(htmlOf(madeUpContent({ isPartial: true }), null)).toContain('<p><b>Partial result');
    const content = madeUpContent({ picture: { name: 'p', type: 'image/png', data: '' }, tiles: wholeTile(5) });
    const html = htmlOf(content, { href: 'data:image/png;base64,AA==', ratio: 2 });
    expect(html).toContain('<img src="data:image/png;base64,AA=="');
    expect(html).toContain('#fdb94ca3'); // 64 % of the full colour
  });
});
