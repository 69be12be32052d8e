import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../../src/figures/writers/html.ts';
import { madeUpContent } from '../../../support/figures/source.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

const reportFor = (made: Parameters<typeof madeUpContent>[0] = {}) =>
  reportOf({ typesetter, content: madeUpContent(made), picture: null });

describe('reportOf', () => {
  it('has all figures, tables and settings', () => {
    const report = reportFor();
    expect(report.match(/<svg /g)).toHaveLength(3);
    expect(report.match(/<table>/g)).toHaveLength(4);
    for (const part of [
      'The model itself says ‘b’ (50 %)',
      '<td dir="auto">+2.00</td>',
      'control_factor',
      '<h2>Settings</h2>',
    ])
      expect(report).toContain(part);
  });

  it('runs nothing and asks for nothing, whatever the prompt is', () => {
    const nasty = '</pre><script>alert(1)</script><img src="https://a.example/b">';
    const report = reportFor({ prompt: nasty, target: nasty, scores: { [nasty]: [1] } });
    expect(report).toContain('default-src &#39;none&#39;');
    expect(report).not.toMatch(/<(script|img|link|iframe|object|a)\b/);
    expect(report.replaceAll('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/(href|src)="(?!data:)/);
  });

  it('says that it is partial', () => {
    const report = reportFor({ isPartial: true });
    expect(report).toContain('<h1>So far: ');
    expect(report).toContain('<b>Partial result: not all sections were explained.</b>');
  });
});
