import { readFileSync } from 'node:fs';
import {
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  formatHex,
  parse,
  wcagContrast,
} from 'culori';
import { describe, expect, it } from 'vitest';
import { colouringOf, columnColouring, HUES, STEPS } from '../../../../../src/pages/meaning/map/colouring.ts';

const TOKENS = readFileSync(new URL('../../../../../src/app/styles/tokens.css', import.meta.url), 'utf8');

describe('colouring', () => {
  it('gives the most frequent values colours of their own, and the rest one together', () => {
    const values = Array.from({ length: 30 }, (_, index) => `v${index % 10}`);
    const { hues, entries } = colouringOf([...values, 'v9'], (value) => [value]);
    expect(entries).toHaveLength(HUES + 1);
    expect(entries[0]).toEqual({ hue: 0, name: 'v9', label: 'v9', size: 4 });
    expect(entries.at(-1)).toEqual({ hue: HUES, name: null, label: '', size: 6 });
    expect(hues[30]).toBe(0);
  });

  it('names groups by their words, and labels them by the first two', () => {
    const { entries } = colouringOf([1, 1, 0], (label) => [['a'], ['b', 'c', 'd']][label] ?? []);
    expect(entries.map(({ name, label }) => [name, label])).toEqual([
      ['b, c, d', 'b, c'],
      ['a', 'a'],
    ]);
  });
});

describe('the colours of a column', () => {
  const of = (...cells: string[]) => columnColouring(cells, { noValue: 'none', range: (from, to) => `${from}–${to}` });
  const bars = (...cells: string[]) => of(...cells).entries.map(({ name, size }) => `${name}: ${size}`);

  it('are steps in order where the values are numbers, and the ends are the first and the last step', () => {
    const { hues, entries } = of('10', '9', ' 9.0', '-1,5');
    expect(entries.map(({ hue, name, size }) => [hue, name, size])).toEqual([
      [HUES + 1, '-1,5', 1],
      [HUES + 5, '9', 2],
      [HUES + STEPS, '10', 1],
    ]);
    expect([...hues]).toEqual([HUES + STEPS, HUES + 5, HUES + 5, HUES + 1]);
  });

  it.each([
    [
      ['high', 'Low', 'low', 'medium'],
      ['Low: 2', 'medium: 1', 'high: 1'],
    ],
    [
      ['immer', 'nie', 'oft'],
      ['nie: 1', 'oft: 1', 'immer: 1'],
    ],
  ])('are steps in order where the values are words of one scale: %j', (cells, expected) => {
    expect(bars(...cells)).toEqual(expected);
  });

  it.each([
    [
      ['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9'],
      '0–0.2: 1, 0.2–0.4: 2, 0.4–0.6: 2, 0.6–0.8: 2, 0.8–1: 2',
    ],
    [['-5', '1', '2', '3', '4', '5', '6', '7', '40'], '−10–0: 1, 0–10: 7, 10–20: 0, 20–30: 0, 30–40: 0, 40–50: 1'],
    [
      ['1', '2', '3', '4', '5', '6', '7', '8', '9007199254740991'],
      '0–2000000000000000: 8, 2000000000000000–4000000000000000: 0, 4000000000000000–6000000000000000: 0, 6000000000000000–8000000000000000: 0, 8000000000000000–10000000000000000: 1',
    ],
  ])('puts many numbers into ranges of equal width, each into one: %j', (cells, expected) => {
    expect(bars(...cells).join(', ')).toBe(expected);
  });

  it('have no label where a range is empty', () => {
    expect(of('-5', '1', '2', '3', '4', '5', '6', '7', '40').entries[2]).toMatchObject({ label: '', size: 0 });
  });

  it('count texts without a value last', () => {
    expect(bars('2', '', '1', ' ')).toEqual(['1: 1', '2: 1', 'none: 2']);
    expect(of('2', '', '1').hues[1]).toBe(HUES);
  });

  it.each([
    ['1,000', '950'],
    ['low', 'large'],
    ['Infinity', '1'],
    ['1e999', '1'],
    ['2024-05-01', '2'],
    ['', 'low'],
  ])('are those of groups where nothing says the order: %j, %j', (...cells) => {
    expect(of(...cells).entries.map(({ hue }) => hue)).toEqual([0, 1]);
  });

  it('are readable in order by their lightness, in both themes and with each deficiency of colour vision', () => {
    const grounds = colours('sunken');
    expect(grounds).toHaveLength(2);
    for (const [theme, ground] of grounds.entries())
      for (const filter of [filterDeficiencyDeuter, filterDeficiencyProt, filterDeficiencyTrit])
        for (const severity of [0, 1]) {
          const steps = Array.from({ length: STEPS }, (_, step) => colours(`group-${HUES + 1 + step}`)[theme] ?? '');
          const contrasts = steps.map((colour) =>
            wcagContrast(formatHex(filter(severity)(colourOf(colour))) ?? '', ground),
          );
          expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b));
          expect(contrasts[0], 'WCAG 1.4.11').toBeGreaterThanOrEqual(3);
        }
  });
});

/** Of the light and the dark theme. */
function colours(token: string): string[] {
  return new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(TOKENS)?.slice(1) ?? [];
}

function colourOf(hex: string) {
  const colour = parse(hex);
  if (!colour) throw new Error(`no colour: ${hex}`);
  return colour;
}
