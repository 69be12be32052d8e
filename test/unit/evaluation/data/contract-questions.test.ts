import { describe, expect, it } from 'vitest';
import documents from '../../../../evaluation/data/contract-questions.json' with { type: 'json' };
import { contractQuestions } from '../../../../evaluation/data/contract-questions.ts';

const questions = contractQuestions();

describe('questions about office texts', () => {
  it('are about 60 different texts of 150 to 350 words, twelve of each kind', () => {
    const kinds = new Set(documents.map(({ kind }) => kind));
    for (const kind of kinds) expect(documents.filter((each) => each.kind === kind)).toHaveLength(12);
    expect(new Set(documents.map(({ text }) => text)).size).toBe(60);
    for (const { text } of documents) {
      const words = text.split(/\s+/).length;
      expect(words).toBeGreaterThanOrEqual(150);
      expect(words).toBeLessThanOrEqual(350);
    }
  });

  it.each([
    ['training', 33],
    ['choosing', 33],
    ['reporting', 34],
  ])('of the part %s are 100, %d of them unanswerable, on texts of its own', (part, unanswerable) => {
    const own = questions.filter((asked) => asked.part === part);
    expect(own).toHaveLength(100);
    expect(own.filter(({ answers }) => answers.length === 0)).toHaveLength(unanswerable);
    const texts = new Set(own.map(({ text }) => text));
    expect(questions.filter(({ text, ...asked }) => asked.part !== part && texts.has(text))).toEqual([]);
  });

  it('have each answer at its place, in code points', () => {
    for (const { text, answers } of questions)
      for (const answer of answers)
        expect([...text].slice(answer.start, answer.start + [...answer.text].length).join('')).toBe(answer.text);
  });

  it('have words that are missing from the text exactly where they have no answer', () => {
    for (const { text, answers, absent, question } of questions) {
      expect(absent === undefined, question).toBe(answers.length > 0);
      if (absent !== undefined) expect(text.toLowerCase()).not.toContain(absent.toLowerCase());
    }
  });

  it('are all different, and begin in many ways', () => {
    expect(new Set(questions.map(({ text, question }) => question + text)).size).toBe(300);
    expect(new Set(questions.map(({ question }) => question.split(' ')[0])).size).toBeGreaterThan(15);
  });
});
