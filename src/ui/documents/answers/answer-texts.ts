import { type Layout, pageAt } from '../../../files/document.ts';
import type { Answer } from '../../../state/documents/answers.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { listText, numberText } from '../../../words/numbers.ts';

/** A score with two digits; never 1, which no answer is. */
export function scoreText(score: number): string {
  return numberText(Math.min(score, 0.99), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** What a score means: how many of ten such answers were right where that was measured. */
export function scoreMeaning(score: number): string {
  const words = documentsWords().answers;
  const tenths = Math.round(score * 10);
  return words.scoreAbout(tenths < 1 ? words.lessThanOne : numberText(Math.min(9, tenths)));
}

/** The document of an answer, and its page where it has pages. */
export function sourceText(name: string, layout: Layout, { answer }: Pick<Answer, 'answer'>): string {
  if (layout.type === 'blocks') return name;
  return `${name}, ${documentsWords().answers.page(numberText(pageAt(layout, answer.start) + 1))}`;
}

/** Says which words of the question a sentence lacks; null where it has them all. */
export function missingText(missing: readonly string[]): string | null {
  const words = documentsWords().answers;
  return missing.length === 0 ? null : words.missing(listText(missing.map(words.quoted)));
}
