import { describe, expect, it } from 'vitest';
import { type Outcome, outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../../../src/explanations/question.ts';
import { comparisonOf } from '../../../../../src/pages/explain/variations/comparison.ts';
import {
  differenceText,
  incomparableText,
  unlikeTexts,
} from '../../../../../src/pages/explain/variations/difference.tsx';
import { PREDICTION } from '../../../../support/fakes/fake-explain.ts';

/** A result whose prompt is letters, one section each. */
function result(prompt: string, scores: readonly number[], question: Partial<Question> = {}): Outcome {
  const asked = { picture: null, prompt, target: ' a', settings: DEFAULT_QUESTION_SETTINGS, ...question };
  const text = scores.map((score, start) => ({ start, length: 1, score }));
  return outcomeOf(asked, [{ target: ' a', items: [{ type: 'text', scores: text }] }], 'm 1', PREDICTION);
}

const said = (a: Outcome, b: Outcome) => differenceText(comparisonOf(a, b));

describe('differenceText', () => {
  it('names the largest difference, and what has no match', () => {
    expect(said(result('pqr', [5, 1, 0]), result('pq', [2, 1]))).toBe(
      'The largest difference is ‘p’: +5.00 in A, +2.00 in B (+3.00). Without a match: 1 section of A, 0 sections of B.',
    );
    expect(said(result('pq', [0, 1]), result('pq', [0, 3]))).toBe(
      'The largest difference is ‘q’: +1.00 in A, +3.00 in B (−2.00).',
    );
  });

  it('calls noise noise', () => {
    expect(said(result('pq', [1, 1]), result('pq', [1.05, 1]))).toBe('Matching sections differ by less than 0.1 nats.');
  });

  it('says that nothing matches', () => {
    expect(said(result('pq', [1, 1]), result('xy', [1, 1]))).toMatch(/^No section of A has the words of/);
  });
});

describe('incomparableText', () => {
  it('is null where there is a difference', () => {
    expect(incomparableText(comparisonOf(result('p', [1]), result('p', [2])))).toBeNull();
  });

  it('gives every reason', () => {
    const unchanged = result('p', [0], { settings: { ...DEFAULT_QUESTION_SETTINGS, factor: 1 } });
    const unfinished = { ...result('p', [1]), modelVersion: null };
    expect(incomparableText(comparisonOf(unchanged, unfinished))).toBe(
      'A and B cannot be subtracted. With an attention strength of 1 every score is zero. B is not finished.',
    );
  });
});

describe('unlikeTexts', () => {
  it('has a sentence for each thing that differs but the prompt', () => {
    const a = result('p', [1]);
    const settings = { ...DEFAULT_QUESTION_SETTINGS, factor: 0.5, logAdditive: true };
    const b = { ...result('q', [1], { target: ' b', settings }), modelVersion: 'n 2' };
    expect(unlikeTexts(a, b)).toEqual([
      'The scores of A are about ‘a’, those of B about ‘b’.',
      'The attention strength differs: × 0.1 in A, × 0.5 in B.',
      'Attention is scaled in different ways.',
      'The models differ: m 1 and n 2.',
    ]);
    expect(unlikeTexts(a, a)).toEqual([]);
  });
});
