import { describe, expect, it } from 'vitest';
import { BUDGET_PROMPTS, budgetPrompts, calibrationPrompts } from '../../../../evaluation/data/budget-prompts.ts';
import { isIn, LENGTH_BANDS } from '../../../../evaluation/data/lengths.ts';
import type { SquadRow } from '../../../../evaluation/data/squad.ts';

/** A token for each word. */
const tokenize = (text: string) => {
  const spans = [...text.matchAll(/\S+/g)].map(({ index, 0: { length } }) => ({ start: index, length }));
  return { text, ids: spans.map(() => 0), spans };
};

/** Two questions on each passage, of 150 to 550 tokens. */
const rows = Array.from({ length: 2000 }, (_, at): SquadRow => {
  const passage = Math.floor(at / 2);
  const context = `passage ${passage} ${'word '.repeat(150 + ((passage * 7) % 400))}`;
  return { id: `${at}`, title: '', context, question: `${at}?`, answers: [{ text: 'word', start: 0 }] };
});

describe('prompts that explanations within a budget are measured on', () => {
  const prompts = budgetPrompts(rows, { tokenize });

  it('are of each length in turn', () => {
    expect(prompts).toHaveLength(BUDGET_PROMPTS);
    for (const [at, prompt] of prompts.slice(0, 30).entries())
      expect(LENGTH_BANDS.findIndex((band) => isIn(band, prompt))).toBe(at % LENGTH_BANDS.length);
  });

  it('share no passage with those that margins are made on', () => {
    const passageOf = ({ prompt }: { readonly prompt: string }) => prompt.split(' ')[1];
    const calibration = calibrationPrompts(rows, { tokenize }).map(passageOf);
    const calibrated = new Set(calibration);
    expect(calibrated.size).toBeGreaterThan(36);
    expect(calibrated.size).toBe(calibration.length); // a question on each
    expect(prompts.filter((prompt) => calibrated.has(passageOf(prompt)))).toEqual([]);
  });
});
