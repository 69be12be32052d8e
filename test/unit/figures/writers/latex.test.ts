import { describe, expect, it } from 'vitest';
import { latexOf, latexText } from '../../../../src/figures/writers/latex.ts';
import { madeUpContent } from '../../../support/figures/source.ts';

describe('latexText', () => {
  it.each([
    ['50 % of $3 & #1_a', '50 \\% of \\$3 \\& \\#1\\_a'],
    ['\\{x}', '\\textbackslash{}\\{x\\}'],
    ['a~b^c', 'a\\textasciitilde{}b\\textasciicircum{}c'],
    ['<a|b>', '\\textless{}a\\textbar{}b\\textgreater{}'],
    ['"`', '\\char34{}\\char96{}'],
    ["---,,''", "-{}-{}-,{},'{}'"],
    ['−1 × 2 ≥ 1', '$-$1 $\\times$ 2 $\\geq$ 1'],
    ['a\u0000b\u0007\nc', 'ab c'],
    ['مدينة 👧', 'مدينة 👧'],
  ])('writes %j as %j', (text, latex) => expect(latexText(text)).toBe(latex));
});

describe('latexOf', () => {
  it('is a figure of boxes in the colours of the sections', () => {
    const latex = latexOf(madeUpContent());
    expect(latex).toContain('\n\\lightwellbox{FDB94C}{red} or \\lightwellbox{A6D1F0}{blue}\n');
    expect(latex).toContain('\\begin{figure}');
    expect(latex).toMatch(
      /\\caption\{.*Amber supports, blue opposes; full colour is 2 nats.*Target: ‘ a’\. Model: m 1/,
    );
  });

  it('marks estimates by a sign that LaTeX has', () => {
    const latex = latexOf(madeUpContent({ margins: [null, 0.4, null] }));
    expect(latex).toContain('{blue}\\textsuperscript{$\\approx$}');
    expect(latex).toContain('Estimates: 1 of 3 scores, marked by $\\approx$ and');
    expect(latex).not.toContain('≈');
  });

  it('gives lines of their own to lines and paragraphs, and boxes of their own to words', () => {
    const prompt = 'one two\nthree\n\nfour';
    expect(latexOf(madeUpContent({ prompt, scores: { [prompt]: [2] } }))).toContain(
      '{one} \\lightwellbox{FDB94C}{two}\n\n\\lightwellbox{FDB94C}{three}\n\n\\bigskip\n\n\\lightwellbox{FDB94C}{four}',
    );
  });

  it('cuts a word that no line can hold', () => {
    const long = 'x'.repeat(60);
    expect(
      latexOf(madeUpContent({ prompt: long, scores: { [long]: [2] } })).match(/lightwellbox\{FDB94C\}/g),
    ).toHaveLength(3);
  });

  it('notes what pdfLaTeX cannot set', () => {
    expect(latexOf(madeUpContent())).not.toContain('XeLaTeX');
    const latex = latexOf(madeUpContent({ prompt: 'مدينة 東京 👧 ᚠ', scores: {} }));
    expect(latex).toContain('% Contains Arabic, Han, emoji, another script: use XeLaTeX');
    expect(latex).toContain('bidi=basic');
  });

  it('keeps comments and braces balanced whatever the prompt', () => {
    const prompt = '}{ %\n\\end{figure} \\input{x}';
    const latex = latexOf(madeUpContent({ prompt, scores: { [prompt]: [2] } }));
    const bare = latex.replaceAll(/^%.*$/gm, '').replaceAll(/\\[{}\\%]/g, '');
    expect(bare.match(/\{/g)?.length).toBe(bare.match(/\}/g)?.length);
    expect(latex.match(/\\end\{figure\}/g)).toHaveLength(1);
    expect(latex).not.toContain('\\input');
  });
});
