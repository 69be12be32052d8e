/** English words that a question shares with any passage. */
const COMMON = new Set(
  (
    'the a an of in to and is was were are on at by for with from as what who whom whose when where which why how did ' +
    'do does that this it its be been has had have or many much'
  ).split(' '),
);

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Content words of a text, in lower case. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike);
  return new Set(words.map(({ segment }) => segment.toLowerCase()).filter((word) => !COMMON.has(word)));
}

/** 1 for each word that is a content word of the question, else 0. */
export function questionOverlap(words: readonly string[], question: string): number[] {
  const asked = contentWords(question);
  return words.map((word) => (asked.has(word.toLowerCase()) ? 1 : 0));
}
