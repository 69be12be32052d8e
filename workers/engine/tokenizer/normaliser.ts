import { byteAlphabet } from '../../../src/formats/byte-alphabet.ts';
import { type AlignedText, type Edit, edited, editsOf } from './aligned-text.ts';
import { createCharacterMap } from './character-map.ts';
import { flagField, type JsonPart, partsOf, refuseType, textField } from './json-fields.ts';
import { patternOf, WHITE_SPACE } from './patterns.ts';

/** Changes a text before it is split. */
export type Normaliser = (aligned: AlignedText) => AlignedText;

/**
 * The normaliser of a tokenizer, which keeps the place of every unit.
 *
 * @param part  `normalizer`; undefined where there is none
 * @throws {FailureError} MODEL_UNAVAILABLE for a type that is not supported, naming it
 * @source the tokenizers library, `normalizers`
 */
export function createNormaliser(part: JsonPart | undefined): Normaliser {
  if (part === undefined) return (aligned) => aligned;
  const create = CREATORS[textField(part, 'type', '')];
  return create ? create(part) : refuseType(part);
}

const CREATORS: Readonly<Partial<Record<string, (part: JsonPart) => Normaliser>>> = {
  Sequence: (part) => inSequence(partsOf(part, 'normalizers').map(createNormaliser)),
  NFC: () => unicodeForm('NFC'),
  NFD: () => unicodeForm('NFD'),
  NFKC: () => unicodeForm('NFKC'),
  NFKD: () => unicodeForm('NFKD'),
  Lowercase: () => lowerCased,
  StripAccents: () => replacing(/\p{M}+/gu, () => ''),
  BertNormalizer: bert,
  Nmt: () => inSequence([replacing(NMT_REMOVED, () => ''), replacing(NMT_SPACES, () => ' ')]),
  Precompiled: (part) => createCharacterMap(part),
  Strip: strip,
  Replace: (part) => {
    const content = textField(part, 'content', '');
    return replacing(patternOf(part), () => content);
  },
  Prepend: (part) => {
    const text = textField(part, 'prepend', '');
    return (aligned) => (aligned.text === '' ? aligned : edited(aligned, [{ from: 0, to: 0, text }]));
  },
  ByteLevel: () => replacing(/[^!-~]/gu, byteAlphabet.encode),
};

/** Several normalisers, one after the other. */
export function inSequence(steps: readonly Normaliser[]): Normaliser {
  return (aligned) => steps.reduce((text, step) => step(text), aligned);
}

function replacing(pattern: RegExp, replacementOf: (match: string) => string): Normaliser {
  return (aligned) => edited(aligned, editsOf(aligned.text, pattern, replacementOf));
}

/** A character with those that may combine with it, wherever normalisation may change it. The ranges are Hangul's and Katakana's. */
const COMBINING = (() => {
  const marks = String.raw`[\p{M}\u1160-\u11FF\uFF9E\uFF9F]`;
  return new RegExp(String.raw`[^\0-\x7F]${marks}*|[\0-\x7F]${marks}+`, 'gu');
})();

/** @source Unicode Standard Annex #15 */
function unicodeForm(form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Normaliser {
  return (aligned) => {
    const whole = aligned.text.normalize(form);
    if (whole === aligned.text) return aligned;
    const result = edited(
      aligned,
      editsOf(aligned.text, COMBINING, (match) => match.normalize(form)),
    );
    return result.text === whole ? result : edited(aligned, [difference(aligned.text, whole)]);
  };
}

/** One edit that makes `to` of `from`, between their common beginning and end. */
function difference(from: string, to: string): Edit {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return { from: start, to: from.length - end, text: to.slice(start, to.length - end) };
}

/** Character by character: unlike JavaScript's, it does not make the sigma at the end of a word another letter. */
function lowerCased(aligned: AlignedText): AlignedText {
  const whole = aligned.text.toLowerCase().replaceAll('ς', 'σ');
  const isPlain = whole.length === aligned.text.length && !/[Σς]/.test(aligned.text);
  if (isPlain) return { ...aligned, text: whole };
  return replacing(/\p{Changes_When_Lowercased}/gu, (character) => character.toLowerCase())(aligned);
}

function strip(part: JsonPart): Normaliser {
  const ends = [
    ...(flagField(part, 'strip_left', true) ? [`^${WHITE_SPACE}+`] : []),
    ...(flagField(part, 'strip_right', true) ? [`(?<!${WHITE_SPACE})${WHITE_SPACE}+$`] : []),
  ];
  return ends.length === 0 ? (aligned) => aligned : replacing(new RegExp(ends.join('|'), 'gu'), () => '');
}

/** @source tokenizers, `bert.rs`; the last range begins as it does there */
const CHINESE = (() => {
  const planes = [0x4e00, 0x9fff, 0x3400, 0x4dbf, 0xf900, 0xfaff, 0x2f800, 0x2fa1f, 0x20000, 0x2a6df];
  const extensions = [0x2a700, 0x2b73f, 0x2b740, 0x2b81f, 0x2b920, 0x2ceaf];
  const ends = [...planes, ...extensions].map((point) => `\\u{${point.toString(16)}}`);
  const ranges = ends.flatMap((end, i) => (i % 2 === 0 ? [`${end}-${ends[i + 1] ?? end}`] : []));
  return new RegExp(`[${ranges.join('')}]`, 'gu');
})();
const CONTROLS = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;

/** @source Devlin et al. 2019, `tokenization.py` of BERT; tokenizers, `bert.rs` */
function bert(part: JsonPart): Normaliser {
  const lowercase = flagField(part, 'lowercase', true);
  const steps: Normaliser[] = [];
  if (flagField(part, 'clean_text', true))
    steps.push(
      replacing(CONTROLS, () => ''),
      replacing(new RegExp(WHITE_SPACE, 'gu'), () => ' '),
    );
  if (flagField(part, 'handle_chinese_chars', true)) steps.push(replacing(CHINESE, (character) => ` ${character} `));
  if (flagField(part, 'strip_accents', lowercase))
    steps.push(
      unicodeForm('NFD'),
      replacing(/\p{Mn}+/gu, () => ''),
    );
  if (lowercase) steps.push(lowerCased);
  return inSequence(steps);
}

/** @source tokenizers, `unicode.rs`, `do_nmt` */
const NMT_REMOVED = new RegExp(String.raw`[\x01-\x08\x0B\x0E-\x1F\x7F\x8F\x9F]`, 'g');
const NMT_SPACES = /[\t\n\f\r\u1680\u200B-\u200F\u2028\u2029\u2581\uFEFF\uFFFD]/g;
