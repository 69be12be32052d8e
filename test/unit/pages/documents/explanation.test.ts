import { expect, it } from 'vitest';
import { explanationOf } from '../../../../src/pages/documents/answer-panel.tsx';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';

it('asks about the paragraph of the sentence, in one line, with the answer as the target', () => {
  const text = 'Lease\n\nThe rent is due on Monday.\nIt is paid\nin advance.\n\nThe end.';
  const span = (part: string) => ({ start: text.indexOf(part), length: part.length });
  const answer = {
    document: 1,
    score: 0.9,
    passage: { start: 0, length: text.length },
    answer: span('paid\nin advance'),
    sentence: span('It is paid\nin advance.'),
  };
  const settings = { ...DEFAULT_QUESTION_SETTINGS, granularity: 'sentence' as const, factor: 0.3, similarity: 0.7 };
  expect(explanationOf(' How is it paid? ', text, answer, settings)).toEqual({
    picture: null,
    prompt: 'The rent is due on Monday. It is paid in advance.\nQuestion: How is it paid?\nAnswer:',
    target: ' paid in advance',
    settings: { ...settings, granularity: 'word', similarity: null }, // which a picture had
  });
});

it('stays within the passage that was read', () => {
  const text = 'First. Second answer.';
  const passage = { start: 7, length: 14 };
  const answer = { document: 1, score: 0.9, answer: { start: 14, length: 6 }, sentence: passage, passage };
  expect(explanationOf('Q?', text, answer, DEFAULT_QUESTION_SETTINGS).prompt).toBe(
    'Second answer.\nQuestion: Q?\nAnswer:',
  );
});
