/** Letters, digits and `_`, as Python's `\w`. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** Runs of letters and digits, in small letters. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** Share of a question's different words that a text has, 0 to 1; 0 for a question without words. */
export function sharedWords(question: string, text: string): number {
  const [asked, present] = [new Set(wordsOf(question)), new Set(wordsOf(text))];
  return asked.size === 0 ? 0 : [...asked].filter((word) => present.has(word)).length / asked.size;
}

/** A sentence of the text, and the share of the question's words that it has. */
export interface Sentence {
  readonly text: string;
  readonly share: number;
}

/** The sentence with the largest share of the question's words; of equal ones the first. */
export function likeliestSentence(question: string, text: string): Sentence {
  const sentences = text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence !== '');
  const [first = { text: '', share: 0 }, ...others] = sentences.map((sentence) => ({
    text: sentence,
    share: sharedWords(question, sentence),
  }));
  return others.reduce((best, each) => (each.share > best.share ? each : best), first);
}
