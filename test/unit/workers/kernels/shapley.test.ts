import { describe, expect, it } from 'vitest';
import {
  contributions,
  meansOf,
  meansWithMargins,
  orderPairs,
  subsetsAlong,
} from '../../../../workers/kernels/shapley.ts';

type Game = (kept: ArrayLike<number>) => number;

/** By the definition: the mean over all orders. */
function exactly(sections: number, game: Game): number[] {
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((first) => orders(rest.filter((one) => one !== first)).map((own) => [first, ...own]));
  const all = orders(Array.from({ length: sections }, (_, section) => section));
  return [...meansOf(all.map((order) => along(order, game)))];
}

const along = (order: readonly number[], game: Game) =>
  contributions(
    order,
    subsetsAlong(order).map((kept) => Float64Array.of(game(kept))),
  );

const at = (kept: ArrayLike<number>, section: number) => kept[section] ?? 0;
const pairwise: Game = (kept) =>
  at(kept, 0) + 2 * at(kept, 1) - at(kept, 2) + 4 * at(kept, 0) * at(kept, 1) - 2 * at(kept, 2) * at(kept, 3);
const smooth: Game = (kept) =>
  -Math.log(1 + Math.exp(2 - Array.from(kept).reduce((sum, one, section) => sum + (section - 1) * one, 0)));

describe('Shapley values of random orders', () => {
  it('are exact with one pair where sections act by themselves or in twos', () => {
    const [orders = []] = orderPairs(5, 1);
    const found = meansOf(orders.map((order) => along(order, pairwise)));
    exactly(5, pairwise).forEach((value, section) => expect(found[section]).toBeCloseTo(value, 10));
  });
  it('come nearer with more orders, and most are within their margins', () => {
    const exact = exactly(5, smooth);
    const samples = orderPairs(5, 600).map((orders) => meansOf(orders.map((order) => along(order, smooth))));
    const errors = (means: Float64Array) => means.map((mean, section) => Math.abs(mean - (exact[section] ?? NaN)));
    let covered = 0;
    for (let first = 0; first < 600; first += 6) {
      const { means, margins } = meansWithMargins(samples.slice(first, first + 6));
      errors(means).forEach((error, section) => (covered += Number(error <= (margins[section] ?? NaN))));
    }
    expect(covered / 500).toBeGreaterThan(0.8); // 0.85: means of six are skewed here
    expect(Math.max(...errors(meansOf(samples)))).toBeLessThan(0.01);
  });
  it('add up to what all sections add', () => {
    for (const [order] of orderPairs(5, 3)) {
      const total = along(order, smooth).reduce((sum, one) => sum + one, 0);
      expect(total).toBeCloseTo(smooth([1, 1, 1, 1, 1]) - smooth([0, 0, 0, 0, 0]), 10);
    }
  });
});

it('margins are the t quantile times the standard error', () => {
  const { means, margins } = meansWithMargins([Float64Array.of(1, 5), Float64Array.of(3, 5)]);
  expect([...means]).toEqual([2, 5]);
  expect(margins[0]).toBeCloseTo(6.314 * 1, 10);
  expect(margins[1]).toBe(0);
});
