import { describe, expect, it } from 'vitest';
import type { TextSection } from '../../../../src/explanations/influence.ts';
import { type Outcome, outcomeOf } from '../../../../src/explanations/outcome.ts';
import {
  agreementOf,
  inverted,
  mostSplit,
  realWords,
  sentenceRows,
  sinksNotice,
} from '../../../../src/pages/learn/notices.ts';
import { lessonQuestion } from '../../../../src/pages/learn/lesson-stores.ts';
import { learnPartIn } from '../../../../src/pages/learn/learn-page.tsx';

/** An outcome of `prompt` whose sections are these texts with these scores. */
function outcome(prompt: string, scored: readonly (readonly [text: string, score: number])[]): Outcome {
  const scores = scored.map(([text, score]) => ({ start: prompt.indexOf(text), length: text.length, score }));
  return outcomeOf(
    lessonQuestion({ prompt, target: ' x' }),
    [{ target: ' x', items: [{ type: 'text', scores }] }],
    'm 1',
    null,
  );
}

const section = (total: number, start = 0): TextSection => {
  const [found] = outcome('0123456789', [['0123456789'.slice(start, start + 1), total]]).influence.prompt;
  if (!found) throw new Error('expected a section');
  return found;
};

describe('the words and tokens of the first lesson', () => {
  const words = [
    { text: 'A', tokens: ['A'] },
    { text: ' lighthouse', tokens: [' light', 'house'] },
    { text: ' keeper', tokens: [' ke', 'ep', 'er'] },
    { text: '...', tokens: ['.', '.', '.', '.'] },
  ];
  it('leave marks out, and name the word with the most tokens', () => {
    expect(realWords(words)).toHaveLength(3);
    expect(mostSplit(words)?.text).toBe(' keeper');
    expect(mostSplit(words.slice(0, 1))).toBeNull();
  });
});

describe('agreementOf', () => {
  const deleted = (total: number, loss: number) => ({ section: section(total), loss });
  it.each([
    ['none', []],
    ['alike', [deleted(4, 3.8), deleted(-2, -1.6)]],
    ['size', [deleted(4, 3.8), deleted(4, 1)]],
    ['sign', [deleted(9, 1), deleted(-1, 2)]],
    ['alike', [deleted(-0.3, 0.1)]],
  ])('says %s', (kind, rows) => expect(agreementOf(rows).kind).toBe(kind));
});

describe('sinksNotice', () => {
  const word = (dimmed: number, deleted: number) => ({ word: 'The', dimmed, deleted });
  it.each([
    [[word(0.2, 0.3), word(6, 0.2)], /^‘The’ is an attention sink: each later token loses .*6\.00 nats/],
    [[word(0.2, 0.3)], /^None of these words/],
    [[], /more than three words/],
  ])('says whether one of the words is an attention sink', (words, expected) =>
    expect(sinksNotice(words)[0]).toMatch(expected),
  );
});

describe('sentenceRows', () => {
  it('adds up the words that begin in a sentence', () => {
    const prompt = 'Red cars go. Blue ones stop.';
    const words = outcome(prompt, [
      ['Red', 1],
      ['cars', 2],
      ['Blue', -4],
      ['stop', 1],
    ]);
    const sentences = outcome(prompt, [
      ['Red cars go. ', 2],
      ['Blue ones stop.', 5],
    ]);
    const [, blue] = sentences.influence.prompt;
    if (!blue) throw new Error('expected two sentences');
    const rows = sentenceRows({ words, sentences, deleted: [{ section: blue, loss: -2 }] });
    expect(rows.map(({ whole, words: sum, deleted }) => [whole, sum, deleted])).toEqual([
      [2, 3, null],
      [5, -3, -2],
    ]);
    expect(inverted(rows)).toMatchObject({ by: 'deleted', row: { whole: 5 } });
  });
});

describe('inverted', () => {
  const row = (whole: number, words: number, deleted: number | null) => ({
    section: section(whole),
    whole,
    words,
    deleted,
  });
  it('takes the larger sentence, and deletion before words', () => {
    expect(inverted([row(-1, 3, -1), row(0.5, 1, -2), row(2, 2, -2)])).toMatchObject({
      by: 'deleted',
      row: { whole: 2 },
    });
    expect(inverted([row(-1, 3, -1), row(2, 2, null)])).toMatchObject({ by: 'words', row: { whole: -1 } });
  });
  it('takes small numbers for no evidence', () => {
    expect(inverted([row(0.05, -3, -3), row(2, -0.4, -0.4), row(1, 1, 1)])).toBeNull();
  });
});

describe('learnPartIn', () => {
  it('is the part of the address, or the first lesson', () => {
    expect(learnPartIn('granularity')).toBe('granularity');
    expect(learnPartIn('set')).toBe('set');
    expect(learnPartIn('nothing')).toBe('tokens');
    expect(learnPartIn(null)).toBe('tokens');
  });
});
