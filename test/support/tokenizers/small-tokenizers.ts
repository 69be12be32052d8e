import { byteAlphabet } from '../../../src/formats/byte-alphabet.ts';

/** Words that the vocabularies know wholly. */
const WORDS = [
  'the', 'is', 'of', 'capital', 'paris', 'france', 'Paris', 'France', 'an', 'An', 'apple', 'day', 'cafe', 'caf\u00E9', 'au', 'lait',
  'office', 'final', 'strasse', 'co', 'op', 'coop', 'zero', 'width', 'byte', 'order', 'mark', 'love', 'cats', 'I', 'it', 'test',
  '\u043C\u0438\u0440', '\u65E5\u672C', '\u4E2D', '\u03C3\u03B1\u03C3', 'lone', 'aaaa', '12', '\u0928\u092E', '\uD55C',
]; // prettier-ignore

/** Characters that the vocabularies know; all others are unknown to them. */
const CHARACTERS = Array.from(
  "abcdefghijklmnopqrstuvwxyzABCDEFIPST0123456789.,;'()$+=_-<>\u00E9\u0301\u2581\u043F\u0440\u0438\u0432\u0435\u0442\u043C\u65E5\u672C\u4E2D\u03C3\u03B1\u0928\u092E\uD55C\u00BD\u2026",
);

export const MARK = '\u2581';

/** Ids of a vocabulary's pieces, in order. */
function idsOf(pieces: Iterable<string>): Record<string, number> {
  return Object.fromEntries(Array.from(new Set(pieces), (piece, id) => [piece, id]));
}

/** Merges that join each word from left to right, and all symbols. */
function mergesOf(words: readonly string[], suffix = ''): { merges: string[]; symbols: string[] } {
  const merges = new Set<string>();
  const symbols: string[] = [];
  for (const word of words) {
    const [first = '', ...rest] = Array.from(word, (character, i) =>
      i === [...word].length - 1 ? character + suffix : character,
    );
    let joined = first;
    for (const next of rest) {
      merges.add(`${joined} ${next}`);
      joined += next;
      symbols.push(joined);
    }
  }
  return { merges: [...merges], symbols };
}

const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);

function bpe(options: { bytes?: boolean; suffix?: string; fuse?: boolean; unknown?: boolean } = {}): object {
  const { bytes = false, suffix = '', fuse = false, unknown = true } = options;
  const { merges, symbols } = mergesOf([...WORDS, ...WORDS.map((word) => MARK + word)], suffix);
  const ends = suffix === '' ? [] : CHARACTERS.map((character) => character + suffix);
  const known = [...(unknown ? ['<unk>'] : []), ...(bytes ? BYTES : []), ...CHARACTERS, ...ends, ...symbols];
  return {
    type: 'BPE',
    dropout: null,
    unk_token: unknown ? '<unk>' : null,
    continuing_subword_prefix: null,
    end_of_word_suffix: suffix || null,
    fuse_unk: fuse,
    byte_fallback: bytes,
    vocab: idsOf([...known, ...merges.flatMap((merge) => merge.split(' '))]),
    merges,
  };
}

function byteLevelBpe(): object {
  const { merges, symbols } = mergesOf(
    WORDS.flatMap((word) => [byteAlphabet.encode(word), byteAlphabet.encode(` ${word}`)]),
  );
  const alphabet = Array.from({ length: 256 }, (_, byte) => byteAlphabet.ofByte(byte));
  return {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    fuse_unk: false,
    byte_fallback: false,
    vocab: idsOf([...alphabet, ...symbols]),
    merges,
  };
}

function unigram(bytes = false): object {
  const words = WORDS.flatMap((word) => [word, MARK + word]);
  const pieces = new Set(['<unk>', ...(bytes ? BYTES : []), ...CHARACTERS, ...words]);
  return {
    type: 'Unigram',
    unk_id: 0,
    vocab: Array.from(pieces, (piece, id) => [piece, id === 0 ? 0 : -10 + [...piece].length + id / 1000]),
    byte_fallback: bytes,
  };
}

function wordPiece(): object {
  const pieces = [...CHARACTERS, ...WORDS].flatMap((piece) => [piece, `##${piece}`]);
  return {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 30,
    vocab: idsOf(['[UNK]', ...pieces]),
  };
}

function wordLevel(): object {
  return {
    type: 'WordLevel',
    unk_token: '[UNK]',
    vocab: idsOf(['[UNK]', ...CHARACTERS, ...WORDS, ...WORDS.map((word) => MARK + word)]),
  };
}

/** Tokens with every rule of added tokens, after those of a vocabulary. */
function addedTo(model: object): object[] {
  const first = Object.keys({ ...Object(Reflect.get(model, 'vocab')) }).length;
  const rules = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return [
    { content: '<mask>', lstrip: true },
    { content: '<word>', single_word: true },
    { content: '<left>', rstrip: true },
    { content: '<right>', lstrip: true, rstrip: true },
    { content: '<norm>', normalized: true, special: false },
  ].map((token, i) => ({ id: first + i, ...rules, ...token }));
}

const sequence = (...normalizers: readonly object[]) => ({ type: 'Sequence', normalizers });
const steps = (...pretokenizers: readonly object[]) => ({ type: 'Sequence', pretokenizers });
const replace = (pattern: object, content: string) => ({ type: 'Replace', pattern, content });
const split = (Regex: string, behavior: string, invert = false) => ({
  type: 'Split',
  pattern: { Regex },
  behavior,
  invert,
});
const metaspace = (prepend_scheme: string, isSplit = true) => ({
  type: 'Metaspace',
  replacement: MARK,
  prepend_scheme,
  split: isSplit,
});
const byteLevel = (add_prefix_space: boolean, use_regex = true) => ({
  type: 'ByteLevel',
  add_prefix_space,
  trim_offsets: true,
  use_regex,
});
const bert = (flags: object = {}) => ({
  type: 'BertNormalizer',
  clean_text: true,
  handle_chinese_chars: true,
  strip_accents: null,
  lowercase: true,
  ...flags,
});
const type = (name: string) => ({ type: name });
/** Compiled by SentencePiece 0.2 of rules for `\uFB01`, `\u2026`, `\u00B2`, a soft hyphen, white space, `\uFF21`, `e\u0301`, `\u33A1`, `\u200B` and `\uFEFF`. */
export const CHARACTER_MAP =
  'AAQAAAAgAAAJCQAACgUAAAEAAIDMDAIADRkAAIEFAAARAACArQUAAAAAAIAHAACAgDQCAAMAAICLOQAAgDUAAKF5AACAeAIADgAAgIEFAAALAACAv3UAAKENAAAJAACAsnUAABkAAAAYAAAAGwAAABoAAAAdAAAAHAAAAI7AAgAeAAAAprEAAKzIAgAjAAAAIgAAACUAAAAkAAAAJwAAACYAAAApAAAAKAAAACsAAAAqAAAALQAAACwAAAAvAAAALgAAADEAAAC8FAIAMwAAADIAAAA1AAAANAAAALt0AgA2AAAAOQAAADgAAAA7AAAAOgAAAD0AAAA8AAAAPwAAAD4AAABBAAAAQAAAAEMAAABCAAAARQAAAEQAAABHAAAARgAAAEkAAABIAAAASwAAAEoAAABNAAAATAAAAE8AAABOAAAAUQAAAFAAAABTAAAAUgAAAFUAAABUAAAAVwAAAFYAAABZAAAAWAAAAFsAAABaAAAAXQAAAFwAAABfAAAAXgAAAGEAAABgAAAAYwAAAGIAAABlAAAAZAAAAGcAAABmAAAAaQAAAGgAAABrAAAAagAAAG0AAABllAIAbwAAAG4AAABxAAAAcAAAAHMAAAByAAAAdQAAAHQAAAB3AAAAdgAAAHkAAAB4AAAAewAAAHoAAAB9AAAAfAAAAH8AAAB+AAAAgQAAAIAAAACDAAAAggAAAIUAAACEAAAAhwAAAIYAAACJAAAAiAAAAIsAAACKAAAAjQAAAIwAAACPAAAAjgAAAJEAAACQAAAAkwAAAJIAAACVAAAAlAAAAJcAAACWAAAAmQAAAJgAAACbAAAAmgAAAJ0AAACcAAAAnwAAAJ4AAAChAAAAoAAAAKMAAACiAAAApQAAAKQAAACnAAAApgAAAKkAAACoAAAAqwAAAKoAAACtAAAArAAAAK8AAACuAAAAsQAAALAAAACzAAAAsgAAALUAAAC0AAAAtwAAALYAAAC5AAAAuAAAALsAAAC6AAAAvQAAALwAAAC/AAAAvgAAAMEAAADAAAAAwwAAAMIAAADFAAAAxAAAAMcAAADGAAAAyQAAAMgAAADCvAEAygAAAM0AAADMAAAAzwAAAM4AAADRAAAA0AAAANMAAADSAAAA1QAAANQAAADXAAAA1gAAANkAAADYAAAA2wAAANoAAADdAAAA3AAAAN8AAADeAAAA4QAAAOAAAADjAAAA4gAAAOUAAADkAAAA5wAAAO+oAQDpAAAA6AAAAOKEAQDj7AEA7QAAAOwAAADvAAAA7gAAAPEAAADwAAAA8wAAAPIAAAD1AAAA9AAAAPcAAAD2AAAA+QAAAPgAAAD7AAAA+gAAAP0AAAD8AAAA/wAAAP4AAAAAIAAuLi4AMgBBAGZpAG0yAMOpAA==';
const LLAMA = sequence({ type: 'Prepend', prepend: MARK }, replace({ String: ' ' }, MARK));

function tokenizer(
  model: object,
  normalizer: object | null,
  pre_tokenizer: object | null,
  decoder: object | null = null,
): object {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTo(model),
    normalizer,
    pre_tokenizer,
    post_processor: null,
    decoder,
    model,
  };
}

/** Small tokenizers of every kind, by name: `tokenizer.json`, parsed. */
export const SMALL_TOKENIZERS: Readonly<Record<string, object>> = {
  'byte level': tokenizer(byteLevelBpe(), null, byteLevel(false), byteLevel(true)),
  'byte level, NFC': tokenizer(byteLevelBpe(), type('NFC'), byteLevel(false), byteLevel(true)),
  'byte level, prefix space': tokenizer(byteLevelBpe(), null, byteLevel(true), byteLevel(true)),
  'byte level, digits': tokenizer(
    byteLevelBpe(),
    null,
    steps({ type: 'Digits', individual_digits: true }, byteLevel(false)),
    byteLevel(true),
  ),
  'byte level, split by a pattern': tokenizer(
    byteLevelBpe(),
    type('NFC'),
    steps(
      split(
        String.raw`(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
        'Isolated',
      ),
      byteLevel(false, false),
    ),
    byteLevel(true),
  ),
  'byte level, normaliser': tokenizer(
    byteLevelBpe(),
    sequence(type('NFC'), type('ByteLevel')),
    split('\u0120?[^\u0120]+', 'Isolated'),
    byteLevel(true),
  ),
  'byte fallback': tokenizer(bpe({ bytes: true, fuse: true }), LLAMA, null, {
    type: 'Sequence',
    decoders: [
      replace({ String: MARK }, ' '),
      type('ByteFallback'),
      type('Fuse'),
      { type: 'Strip', content: ' ', start: 1, stop: 0 },
    ],
  }),
  'byte fallback, first': tokenizer(bpe({ bytes: true }), null, metaspace('first', false), metaspace('first', false)),
  'byte fallback, Gemma': tokenizer(
    bpe({ bytes: true }),
    replace({ String: ' ' }, MARK),
    split(' ', 'MergedWithPrevious'),
    null,
  ),
  'BPE, unknown fused': tokenizer(bpe({ fuse: true }), null, metaspace('always'), metaspace('always')),
  'BPE, unknown dropped': tokenizer(bpe({ unknown: false }), null, metaspace('never'), metaspace('never')),
  'BPE, ends of words': tokenizer(
    bpe({ suffix: '</w>' }),
    sequence(type('NFC'), replace({ Regex: String.raw`\s+` }, ' '), type('Lowercase')),
    steps(type('WhitespaceSplit'), { type: 'Punctuation', behavior: 'Isolated' }),
    { type: 'BPEDecoder', suffix: '</w>' },
  ),
  'Unigram, NFKC': tokenizer(unigram(), type('NFKC'), metaspace('always'), metaspace('always')),
  'Unigram, Nmt': tokenizer(
    unigram(),
    sequence(type('Nmt'), type('NFKC'), replace({ Regex: ' {2,}' }, ' ')),
    metaspace('first'),
    metaspace('first'),
  ),
  'Unigram, character map': tokenizer(
    unigram(),
    sequence({ type: 'Precompiled', precompiled_charsmap: CHARACTER_MAP }, replace({ Regex: ' {2,}' }, ' ')),
    metaspace('always'),
    metaspace('always'),
  ),
  'Unigram, stripped': tokenizer(
    unigram(),
    sequence({ type: 'Strip', strip_left: true, strip_right: true }, replace({ String: 'a' }, 'aa'), type('Lowercase')),
    steps(type('WhitespaceSplit'), metaspace('always')),
    metaspace('always'),
  ),
  'Unigram, byte fallback': tokenizer(unigram(true), null, metaspace('always'), metaspace('always')),
  'WordPiece, BERT': tokenizer(wordPiece(), bert(), type('BertPreTokenizer'), {
    type: 'WordPiece',
    prefix: '##',
    cleanup: false,
  }),
  'WordPiece, BERT, cased': tokenizer(
    wordPiece(),
    bert({ lowercase: false, handle_chinese_chars: false }),
    type('BertPreTokenizer'),
    { type: 'WordPiece', prefix: '##', cleanup: false },
  ),
  'WordPiece, NFD, stripped accents': tokenizer(
    wordPiece(),
    sequence(type('NFD'), type('Lowercase'), type('StripAccents')),
    type('Whitespace'),
    { type: 'WordPiece', prefix: '##', cleanup: false },
  ),
  'WordPiece, NFKD': tokenizer(
    wordPiece(),
    type('NFKD'),
    steps(type('WhitespaceSplit'), { type: 'Punctuation', behavior: 'MergedWithPrevious' }),
    { type: 'WordPiece', prefix: '##', cleanup: false },
  ),
  WordLevel: tokenizer(wordLevel(), null, type('Whitespace')),
  'WordLevel, delimiter': tokenizer(wordLevel(), null, { type: 'CharDelimiterSplit', delimiter: ' ' }),
  'WordLevel, fixed length': tokenizer(wordLevel(), null, { type: 'FixedLength', length: 3 }),
  'WordLevel, digits together': tokenizer(
    wordLevel(),
    null,
    steps(type('WhitespaceSplit'), { type: 'Digits', individual_digits: false }),
  ),
  'WordLevel, removed': tokenizer(wordLevel(), null, split(String.raw`\s+|,`, 'Removed')),
  'WordLevel, merged with next': tokenizer(wordLevel(), null, split(String.raw`[\s,]`, 'MergedWithNext')),
  'WordLevel, contiguous': tokenizer(wordLevel(), null, split(String.raw`[\s,]`, 'Contiguous')),
  'WordLevel, inverted': tokenizer(wordLevel(), null, split(String.raw`\w+`, 'Removed', true)),
  'WordLevel, contiguous punctuation': tokenizer(wordLevel(), null, { type: 'Punctuation', behavior: 'Contiguous' }),
};
