import type { Question } from '../explain/question.ts';
import { type Answer, sliceOf } from './answers.ts';

/**
 * The question for the Explain page: the paragraph of an answer, what was asked, and the answer as the target, in the form
 * of that page's examples.
 *
 * @param settings  of the page; sections are words
 */
export function explanationOf(
  question: string,
  text: string,
  answer: Answer,
  settings: Question['settings'],
): Question {
  const paragraph = paragraphAround(text, answer).replaceAll(/\s+/g, ' ');
  return {
    picture: null,
    prompt: `${paragraph}\nQuestion: ${question.trim()}\nAnswer:`,
    target: ` ${sliceOf(text, answer.answer).replaceAll(/\s+/g, ' ')}`,
    settings: { ...settings, granularity: 'word' },
  };
}

/** The paragraphs of the answer's sentence, as far as the reader read them at once. */
function paragraphAround(text: string, { sentence, passage }: Answer): string {
  const read = sliceOf(text, passage);
  const [from, to] = [sentence.start - passage.start, sentence.start + sentence.length - passage.start];
  const before = read.lastIndexOf('\n\n', from);
  const after = read.indexOf('\n\n', to);
  return read.slice(before < 0 ? 0 : before, after < 0 ? undefined : after).trim();
}
