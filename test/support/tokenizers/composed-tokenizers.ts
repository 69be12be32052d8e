import { seededRandom } from '../../../workers/kernels/seeded-random.ts';
import { CHARACTER_MAP, MARK, SMALL_TOKENIZERS } from './small-tokenizers.ts';

type Random = () => number;

function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

function some(random: Random, make: (random: Random) => object): object[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => make(random));
}

function normaliser(random: Random): object {
  const flag = () => random() < 0.5;
  return oneOf<() => object>(random, [
    ...['NFC', 'NFD', 'NFKC', 'NFKD', 'Lowercase', 'StripAccents', 'Nmt', 'ByteLevel'].map((type) => () => ({ type })),
    () => ({
      type: 'BertNormalizer',
      clean_text: flag(),
      handle_chinese_chars: flag(),
      strip_accents: oneOf(random, [null, true, false]),
      lowercase: flag(),
    }),
    () => ({ type: 'Strip', strip_left: flag(), strip_right: flag() }),
    () => ({ type: 'Prepend', prepend: oneOf(random, [MARK, ' ', 'ab']) }),
    () => ({ type: 'Precompiled', precompiled_charsmap: CHARACTER_MAP }),
    () => ({
      type: 'Replace',
      pattern: oneOf<object>(random, [
        { String: 'a' },
        { String: ' ' },
        { Regex: '[0-9]' },
        { Regex: '[\u00E9e]' },
        { Regex: String.raw`\p{P}` },
      ]),
      content: oneOf(random, ['', ' ', MARK, 'aa', 'xyz'.repeat(20), '\u{1F600}']),
    }),
  ])();
}

const BEHAVIOURS = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];

function preTokeniser(random: Random): object {
  const behavior = oneOf(random, BEHAVIOURS);
  const flag = random() < 0.5;
  return oneOf<object>(random, [
    ...['BertPreTokenizer', 'Whitespace', 'WhitespaceSplit'].map((type) => ({ type })),
    { type: 'CharDelimiterSplit', delimiter: oneOf(random, [' ', ',', '\u00E9']) },
    { type: 'Punctuation', behavior },
    { type: 'Digits', individual_digits: flag },
    {
      type: 'Split',
      pattern: oneOf<object>(random, [
        { String: MARK },
        { Regex: String.raw`\s+` },
        { Regex: String.raw`[^\s\p{L}]` },
        { Regex: '.' },
      ]),
      behavior,
      invert: flag,
    },
    { type: 'FixedLength', length: 1 + Math.floor(random() * 4) },
    {
      type: 'Metaspace',
      replacement: MARK,
      prepend_scheme: oneOf(random, ['always', 'first', 'never']),
      split: flag,
    },
  ]);
}

/** Texts of added tokens; some are white space, some are parts of words. */
const ADDED = ['<mask>', '<word>', '<left>', '<right>', '<norm>', '  ', '\n', 'ppl', '\u017D', '\u2460'];

/** Tokenizers with steps and added tokens that no maker would choose together. */
export const COMPOSED_TOKENIZERS: readonly object[] = Array.from({ length: 150 }, (_, seed) => composed(seed + 1));

/** `tokenizer.json`, parsed: the same for each seed. */
function composed(seed: number): object {
  const random = seededRandom(seed);
  const base: { model?: { vocab?: object } } = oneOf(random, Object.values(SMALL_TOKENIZERS));
  const flag = () => random() < 0.3;
  const first = Object.keys(base.model?.vocab ?? {}).length;
  const steps = some(random, preTokeniser);
  const isOfBytes = JSON.stringify({ ...base, model: null }).includes('"ByteLevel"');
  const last = { type: 'ByteLevel', add_prefix_space: flag(), trim_offsets: true, use_regex: flag() };
  return {
    ...base,
    normalizer: { type: 'Sequence', normalizers: some(random, normaliser) },
    pre_tokenizer: { type: 'Sequence', pretokenizers: isOfBytes ? steps.concat(last) : steps },
    added_tokens: ADDED.map((content, i) => ({
      id: first + i,
      content,
      single_word: flag(),
      lstrip: flag(),
      rstrip: flag(),
      normalized: flag() && content.trim() !== '',
      special: flag(),
    })),
  };
}
