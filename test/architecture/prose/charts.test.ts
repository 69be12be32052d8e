import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lengthsChart } from '../../../docs/drawing/charts.mjs';

const TABLE = `
| network | tokens | exact ÷ naive | floor ÷ naive | budget ÷ naive |
| ------- | ------ | ------------- | ------------- | -------------- |
| one     | 64     | 0.40          | 0.56          | 0.10           |
| one     | 1,024  | 0.28          | 0.50          | 0.05           |
| two     | 1,030  | 0.42          | 0.57          | 0.12           |
| two     | 4,096  | 0.34          | 0.52          | 0.06           |

after`;

describe('the chart of lengths', () => {
  it('is what `npm run pictures -- charts` draws of the committed table', () => {
    const drawn = readFileSync('docs/pictures/lengths.svg', 'utf8');
    expect(drawn).toBe(lengthsChart(readFileSync('docs/benchmarks.md', 'utf8')));
  });

  it('joins the points of one network, greater shares above, and names lines and networks', () => {
    const chart = lengthsChart(TABLE);
    expect(chart.match(/<polyline class="exact"/g)).toHaveLength(2);
    const [first, second] = (/class="exact" points="([\d. ,]+)"/.exec(chart)?.[1] ?? '')
      .split(' ')
      .map((point) => point.split(',').map(Number));
    expect(second?.[0]).toBeGreaterThan(first?.[0] ?? Infinity);
    expect(second?.[1]).toBeGreaterThan(first?.[1] ?? Infinity); // a smaller share is lower on the page
    expect(chart).toContain('>1,024</text>');
    for (const label of ['naive', 'exact', 'floor, by positions', 'budget of 0.15', 'one', 'two'])
      expect(chart).toContain(`>${label}</text>`);
  });

  it('leaves out a label that would lie on the one before', () => {
    expect(lengthsChart(TABLE)).not.toContain('1,030');
  });

  it('needs the table', () => {
    expect(() => lengthsChart('no table')).toThrow(RangeError);
  });
});
