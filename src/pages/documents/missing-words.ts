const FUNCTION_WORDS = new Set(
  (
    'a about after all also an and any are as at be been before being but by can could did do does doing during each ' +
    'ever exactly for from get give given had has have having he her here his how i if in into is it its kind long ' +
    'many may me might mine much must my name no not of on one or our out over shall she should so some such than that ' +
    'the their them then there these they this those to under up us was we were what when where whether which while who ' +
    'whom whose why will with within would you your according amount date day happen happens number percent please ' +
    'place sort tell type year'
  ).split(' '),
);

/** Letters that two forms of a word have in common at least at their beginning, and as a share of the shorter form. */
const COMMON_LETTERS = 4;
const COMMON_SHARE = 0.6;

/**
 * Words of an English question that a sentence contains in no form: the more there are, the more likely the sentence answers
 * another question.
 *
 * @returns as written in the question, each once, in its order
 */
export function missingWords(question: string, sentence: string): string[] {
  const present = wordsOf(sentence).map(plain);
  const missing = wordsOf(question)
    .filter((word) => !FUNCTION_WORDS.has(plain(word)))
    .filter((word) => !present.some((other) => isSameWord(plain(word), other)));
  return [...new Map(missing.map((word) => [plain(word), word])).values()];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

function plain(word: string): string {
  return word.toLowerCase().replace(/['’]s$/, '');
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.startsWith(short) && /^(?:s|es|d|ed|ing)$/.test(long.slice(short.length))) return true;
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  return common >= COMMON_LETTERS && common >= short.length * COMMON_SHARE && !/\d/.test(short);
}
