import { describe, expect, it } from 'vitest';
import {
  agreementTables,
  CALIBRATION,
  type Judged,
  type StrongWord,
} from '../../../../../evaluation/measures/ranking/deletion-agreement.ts';

const lineOf = (key: string, value: unknown) => ({ evaluation: 'sinks m', key, value, network: 'e5', load: 1 });

/** A line for each prompt: the word whose deletion costs most, and the strongest words. */
function linesOf(prompts: readonly (readonly [best: number, strongest: readonly StrongWord[], correlation?: null])[]) {
  return prompts.map(([best, strongest, correlation = 0.5], at) =>
    lineOf(`${at}`, { set: 'everyday', best, found: { hidden: { correlation, strongest } } } satisfies Judged),
  );
}

/** The cells of the first row, by the names of their columns. */
function cells(lines: ReturnType<typeof linesOf>): Record<string, string | undefined> {
  const [head = [], , row = []] = agreementTables(lines)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(head.map((name, at) => [name, row[at]]));
}

const FIRST = { at: 0, text: 'The', score: 9, lossAfter: 6 };
const STOP = { at: 4, text: '.', score: 8, loss: 0, lossAfter: 3 };
const REASON = { at: 2, text: 'France', score: 5, loss: 5 };

describe('agreementTables', () => {
  it('counts first words that are on top against deletion, and those that are named', () => {
    const found = cells(
      linesOf([
        [2, [{ ...FIRST, loss: 0 }, REASON]], // on top, not named
        [2, [{ ...FIRST, loss: 0 }, STOP, REASON]],
        [2, [{ ...FIRST, loss: 8 }, REASON]], // on top and named
        [0, [{ ...FIRST, loss: 8 }, REASON]], // rightly
        [2, [REASON, { ...FIRST, loss: 8 }]],
        [2, [{ ...FIRST, score: 0.09, loss: 0.09 }]], // too weak to be named
      ]),
    );
    expect(found).toMatchObject({
      'everyday, 6 prompts': 'hidden',
      'top word as by deletion': '2 of 6',
      'first word wrongly on top': '4 of 6',
      'named word as by deletion': '4 of 6',
      'first word wrongly named': '1 of 6',
      'named where deletion ranks it first': '1 of 1',
    });
  });

  it('leaves out prompts without a rank correlation, and says what the calibration chooses', () => {
    const lines = linesOf([
      [2, [REASON]],
      [2, [REASON], null],
    ]);
    expect(cells(lines)['rank correlation']).toBe('0.500 ± 0.000');
    expect(agreementTables([...lines, lineOf(CALIBRATION, { factor: 0 })])).toMatch(
      /^The calibration chooses factor 0\.\n\n\|/,
    );
  });

  it('refuses a list without prompts', () => expect(() => agreementTables([])).toThrow(RangeError));
});
