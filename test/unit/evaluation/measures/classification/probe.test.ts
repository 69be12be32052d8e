import { describe, expect, it } from 'vitest';
import { bestStrength, createProbe, splitRows } from '../../../../../evaluation/measures/classification/probe.ts';
import { featuresOf } from '../../../../../workers/analysis/sort-by-examples.ts';

describe('splitRows', () => {
  it('holds out a fifth of each label', () => {
    const labels = Int32Array.from({ length: 30 }, (_, row) => (row < 20 ? 0 : 1));
    const { held, kept } = splitRows(labels);
    expect(held.filter((row) => labels[row] === 0)).toHaveLength(4);
    expect(held.filter((row) => labels[row] === 1)).toHaveLength(2);
    expect([...held, ...kept].toSorted((a, b) => a - b)).toEqual([...labels.keys()]);
  });
});

describe('bestStrength', () => {
  const asked = async (accuracies: Readonly<Record<number, number>>) => {
    const tried: number[] = [];
    const chosen = await bestStrength(async (strength) => {
      tried.push(strength);
      return accuracies[strength] ?? 0;
    });
    return { tried, chosen };
  };

  it('ends at the first that does worse', async () =>
    expect(await asked({ 16: 0.5, 64: 0.7, 256: 0.6, 1024: 0.9 })).toEqual({ tried: [16, 64, 256], chosen: 64 }));
  it('goes on while none does worse, and keeps the first of equal ones', async () =>
    expect(await asked({ 16: 0.5, 64: 0.7, 256: 0.7, 1024: 0.7, 4096: 0.7 })).toEqual({
      tried: [16, 64, 256, 1024, 4096],
      chosen: 64,
    }));
});

describe('bestStrength of no rows', () => {
  it('is the weakest', async () => expect(await bestStrength(async () => NaN)).toBe(16));
});

describe('createProbe', () => {
  it('reads off what a linear classifier can', () => {
    const side = (count: number) => ({
      features: featuresOf(
        Array.from({ length: count }, (_, row) => [[row % 3, 1] as const]),
        3,
      ),
      labels: Int32Array.from({ length: count }, (_, row) => row % 3),
    });
    const probe = createProbe({ train: side(30), test: side(9), labelCount: 3 });
    expect(probe.heldOut(16)).toBe(1);
    expect(probe.tested(16)).toBe(1);
  });
});
