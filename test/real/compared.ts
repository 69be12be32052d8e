import { appendFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { EmbedResponse } from '../../src/contract/embed.ts';
import { answerOf } from '../e2e/calls.ts';
import { CASES, COMPARED, DAY, type LayerStates } from './references.ts';

/** Of a comparison: what it is about, and what the table says of it. */
export interface Compared {
  readonly model: string;
  readonly what: string;
  readonly found: string;
  /** Day of the comparison. */
  readonly on: string;
}

/** Largest difference that rounding explains, as a share of 1 + the largest number compared. */
const TOLERANCE = 1e-4;

/** Compares lists of numbers, and notes the largest difference as a share of 1 + the largest number of its list. */
export function compareNumbers(
  model: string,
  what: string,
  found: readonly (readonly number[])[],
  wanted: readonly (readonly number[])[],
): void {
  const sizes = (lists: typeof wanted) => lists.map(({ length }) => length);
  expect(sizes(found), what).toEqual(sizes(wanted));
  const shares = wanted.map((list, at) => {
    const largest = Math.max(...list.map(Math.abs));
    return Math.max(...list.map((each, place) => Math.abs(each - (found[at]?.[place] ?? NaN)))) / (1 + largest);
  });
  const share = Math.max(...shares);
  note({ model, what, found: share.toExponential(1) });
  expect.soft(share, what).toBeLessThan(TOLERANCE);
}

/** Compares the mean states of every layer for the texts that are continued. */
export async function compareLayers(page: Page, model: string, wanted: LayerStates): Promise<void> {
  const found: number[][] = [];
  for (const [at, prompt] of CASES.continued.entries()) {
    const layers = [...(wanted[at] ?? []).keys()];
    const { embeddings } = await answerOf<EmbedResponse>(page, '/embed', { model, prompt, layers, pooling: ['mean'] });
    found.push(...layers.map((layer) => embeddings[`layer_${layer}`]?.mean ?? []));
  }
  compareNumbers(model, 'states of every layer', found, wanted.flat());
}

/** Compares things that must be equal, and notes how many are. */
export function compareEqual(model: string, what: string, found: readonly unknown[], wanted: readonly unknown[]): void {
  const same = wanted.filter((each, at) => JSON.stringify(each) === JSON.stringify(found[at])).length;
  note({ model, what, found: `${same} of ${wanted.length}` });
  expect.soft(found, what).toEqual(wanted);
}

/** Puts a figure into the table. */
export function note(compared: Omit<Compared, 'on'>): void {
  appendFileSync(COMPARED, `${JSON.stringify({ ...compared, on: DAY })}\n`);
}
