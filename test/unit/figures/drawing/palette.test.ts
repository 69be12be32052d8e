import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COLOURS, markOf, mixed } from '../../../../src/figures/colours.ts';

const TOKENS = readFileSync(new URL('../../../../src/app/styles/tokens.css', import.meta.url), 'utf8');
const ELEMENTS = readFileSync(new URL('../../../../src/figures/elements/elements.css', import.meta.url), 'utf8');

describe('palette', () => {
  it.each([
    ['panel', COLOURS.panel],
    ['ink', COLOURS.ink],
    ['ink-soft', COLOURS.inkSoft],
    ['line', COLOURS.line],
    ['line-strong', COLOURS.lineStrong],
    ['supports', COLOURS.supports],
    ['supports-edge', COLOURS.supportsEdge],
    ['opposes', COLOURS.opposes],
    ['opposes-edge', COLOURS.opposesEdge],
  ])('has the light theme’s --%s', (name, colour) => {
    expect(TOKENS).toContain(`  --${name}: light-dark(${colour}, `);
  });

  it('is that of the elements in both themes', () => {
    const own = [...ELEMENTS.matchAll(/^ {2}--([a-z-]+): var\(--lightwell-[a-z-]+, (light-dark\(.+?\))\);$/gm)];
    expect(own.length).toBeGreaterThan(9);
    for (const [, name, colours] of own) expect(TOKENS).toContain(`  --${name}: ${colours};`);
  });
});

describe('mixed', () => {
  it('keeps either colour where there is nothing of the other', () => {
    expect(mixed('#fdb94c', '#fffefb', 1)).toBe('#fdb94c');
    expect(mixed('#fdb94c', '#fffefb', 0)).toBe('#fffefb');
  });

  // Chromium's color-mix(in oklab, …) of the same colours.
  it.each([
    ['#ff0000', '#0000ff', 0.5, '#8c53a2'],
    ['#000000', '#ffffff', 0.5, '#636363'],
  ])('mixes %s and %s as browsers do', (a, b, share, expected) => {
    const [got, want] = [channels(mixed(a, b, share)), channels(expected)];
    for (const [index, value] of got.entries()) expect(value).toBeCloseTo(want[index] ?? 0, 2);
  });
});

/** Red, green and blue, 0 … 1. */
function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

describe('markOf', () => {
  it('has no fill for a score that says nothing', () => {
    expect(markOf(0.09, 5)).toMatchObject({ sign: 'neutral', fill: null });
  });

  it('has the full colour at the end of the scale, which is a round number', () => {
    expect(markOf(5, 4)).toMatchObject({ sign: 'supports', weight: 1, fill: COLOURS.supports });
    expect(markOf(-5, 4)).toMatchObject({ sign: 'opposes', weight: 1, fill: COLOURS.opposes });
    expect(markOf(2.5, 4).weight).toBe(0.5);
  });

  it('has one grey without a line for attention sinks', () => {
    for (const score of [0.01, 3, 50])
      expect(markOf(score, 4, true)).toMatchObject({ sign: 'sink', weight: 0, fill: '#d8d4cc' });
  });
});
