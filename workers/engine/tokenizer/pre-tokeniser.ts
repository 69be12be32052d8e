import { byteAlphabet } from '../../../src/formats/byte-alphabet.ts';
import { type AlignedText, type Edit, edited, editsOf } from './aligned-text.ts';
import { countField, flagField, type JsonPart, partsOf, refuseField, refuseType, textField } from './json-fields.ts';
import { patternOf, WHITE_SPACE, WORD_CHARACTERS } from './patterns.ts';

/** A text in pieces: what the model of a tokenizer reads one by one. */
export interface Pieces {
  readonly aligned: AlignedText;
  /** UTF-16 units, `[from, to)`, in order, none empty. Text between them is dropped. */
  readonly ranges: readonly Range[];
  /** Whether the model reads the bytes of the pieces, each as a character; they are written when a word is new to it. */
  readonly isBytes: boolean;
}

type Range = readonly [from: number, to: number];

/** Splits the pieces of a text further. */
export type PreTokeniser = (pieces: Pieces) => Pieces;

/**
 * The pre-tokeniser of a tokenizer.
 *
 * @param part  `pre_tokenizer`; undefined where there is none
 * @throws {FailureError} MODEL_UNAVAILABLE for a type that is not supported, naming it
 * @source the tokenizers library, `pre_tokenizers`
 */
export function createPreTokeniser(part: JsonPart | undefined): PreTokeniser {
  if (part === undefined) return (pieces) => pieces;
  const create = CREATORS[textField(part, 'type', '')];
  return create ? create(part) : refuseType(part);
}

const PUNCTUATION = String.raw`[\p{P}$+<=>^\x60|~]`;
const DIGIT = String.raw`\p{N}`;
const BYTE_LEVEL = new RegExp(
  `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${WHITE_SPACE}\\p{L}\\p{N}]+|${WHITE_SPACE}+(?!\\P{White_Space})|${WHITE_SPACE}+`,
  'gu',
);

const CREATORS: Readonly<Partial<Record<string, (part: JsonPart) => PreTokeniser>>> = {
  Sequence: (part) => {
    const steps = partsOf(part, 'pretokenizers').map(createPreTokeniser);
    return (pieces) => steps.reduce((split, step) => step(asBytes(split)), pieces);
  },
  BertPreTokenizer: () => splitting(new RegExp(`${PUNCTUATION}|[^${WHITE_SPACE}\\p{P}$+<=>^\\x60|~]+`, 'gu'), keptOnly),
  Whitespace: () => splitting(new RegExp(`[${WORD_CHARACTERS}]+|[^${WORD_CHARACTERS}${WHITE_SPACE}]+`, 'gu'), keptOnly),
  WhitespaceSplit: () => splitting(new RegExp(`[^${WHITE_SPACE}]+`, 'gu'), keptOnly),
  CharDelimiterSplit: (part) => {
    const delimiter = textField(part, 'delimiter', '');
    return splitting(patternOf({ ...part, value: { pattern: { String: delimiter } } }), BEHAVIOURS.Removed);
  },
  Punctuation: (part) => splitting(new RegExp(PUNCTUATION, 'gu'), behaviourOf(part, 'Isolated')),
  Digits: (part) =>
    splitting(
      new RegExp(DIGIT, 'gu'),
      flagField(part, 'individual_digits', false) ? BEHAVIOURS.Isolated : BEHAVIOURS.Contiguous,
    ),
  Split: (part) => {
    const behaviour = behaviourOf(part, '');
    const invert = flagField(part, 'invert', false);
    return splitting(patternOf(part), invert ? (parts) => behaviour(parts.map(inverted)) : behaviour);
  },
  FixedLength: (part) => {
    const length = countField(part, 'length', 5);
    if (length === 0) return refuseField(`${part.path}length`, 'a number above 0', length);
    return splitting(new RegExp(`[\\s\\S]{1,${length}}`, 'gu'), BEHAVIOURS.Isolated);
  },
  Replace: (part) => {
    const [pattern, content] = [patternOf(part), textField(part, 'content', '')];
    return (pieces) => changed(pieces, (text) => editsOf(text, pattern, () => content));
  },
  Metaspace: metaspace,
  ByteLevel: byteLevel,
};

/** A part of a piece, and whether the pattern matched it. */
type Part = readonly [from: number, to: number, isMatch: boolean];

/** Makes pieces of parts, which are in order and leave nothing out. */
type Behaviour = (parts: readonly Part[]) => Range[];

function inverted([from, to, isMatch]: Part): Part {
  return [from, to, !isMatch];
}

const keptOnly: Behaviour = (parts) => parts.filter(([, , isMatch]) => isMatch).map(([from, to]) => [from, to]);

/** @source tokenizers, `SplitDelimiterBehavior` */
const BEHAVIOURS = {
  Removed: (parts) => keptOnly(parts.map(inverted)),
  Isolated: (parts) => parts.map(([from, to]) => [from, to]),
  MergedWithPrevious: (parts) => joined(parts, ([, , isMatch], before) => isMatch && !before[2]),
  MergedWithNext: (parts) => joined(parts, ([, , isMatch], before) => !isMatch && before[2]),
  Contiguous: (parts) => joined(parts, ([, , isMatch], before) => isMatch === before[2]),
} as const satisfies Record<string, Behaviour>;

/** Joins a part to the one before it where `joins` says so. */
function joined(parts: readonly Part[], joins: (part: Part, before: Part) => boolean): Range[] {
  const ranges: Range[] = [];
  parts.forEach((part, i) => {
    const before = parts[i - 1];
    const last = ranges.at(-1);
    if (before && last && joins(part, before)) ranges[ranges.length - 1] = [last[0], part[1]];
    else ranges.push([part[0], part[1]]);
  });
  return ranges;
}

function behaviourOf(part: JsonPart, absent: string): Behaviour {
  const name = textField(part, 'behavior', absent);
  const known: Readonly<Partial<Record<string, Behaviour>>> = BEHAVIOURS;
  return known[name] ?? refuseField(`${part.path}behavior`, Object.keys(BEHAVIOURS).join(', '), name);
}

/** Splits each piece at the matches of a global pattern. */
function splitting(pattern: RegExp, behaviour: Behaviour): PreTokeniser {
  return (pieces) => {
    const { text } = pieces.aligned;
    const ranges: Range[] = [];
    for (const [from, to] of pieces.ranges)
      for (const [start, end] of behaviour(partsIn(text.slice(from, to), pattern)))
        ranges.push([from + start, from + end]);
    return { ...pieces, ranges };
  };
}

function partsIn(text: string, pattern: RegExp): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (match === '') continue;
    if (index > end) parts.push([end, index, false]);
    end = index + match.length;
    parts.push([index, end, true]);
  }
  if (end < text.length) parts.push([end, text.length, false]);
  return parts;
}

/** Changes the text of each piece. @param editsIn  of a piece's text; whether it begins the text as given */
function changed(pieces: Pieces, editsIn: (text: string, isFirst: boolean) => readonly Edit[]): Pieces {
  const { text, starts } = pieces.aligned;
  const edits: Edit[] = [];
  pieces.ranges.forEach(([from, to]) => {
    for (const edit of editsIn(text.slice(from, to), starts[from] === 0))
      edits.push({ from: from + edit.from, to: from + edit.to, text: edit.text });
  });
  const moved = movedBy(edits);
  const ranges = pieces.ranges.map(([from, to]): Range => [moved(from), moved(to)]).filter(([from, to]) => from < to);
  return { ...pieces, aligned: edited(pieces.aligned, edits), ranges };
}

/** Where positions of a text are after edits; a position where something is inserted stays before it. Ascending positions only. */
function movedBy(edits: readonly Edit[]): (position: number) => number {
  let next = 0;
  let shift = 0;
  return (position) => {
    for (let edit = edits[next]; edit && edit.from < position; edit = edits[++next])
      shift += edit.text.length - (edit.to - edit.from);
    return position + shift;
  };
}

function byteLevel(part: JsonPart): PreTokeniser {
  const addsSpace = flagField(part, 'add_prefix_space', true);
  const splits = flagField(part, 'use_regex', true) ? splitting(BYTE_LEVEL, BEHAVIOURS.Isolated) : undefined;
  return (pieces) => {
    const spaced = addsSpace ? changed(pieces, (text) => (text.startsWith(' ') ? [] : [prefix(' ')])) : pieces;
    return { ...(splits ? splits(spaced) : spaced), isBytes: true };
  };
}

/** Writes the bytes of the pieces: a later step splits what the model reads. */
function asBytes(pieces: Pieces): Pieces {
  if (!pieces.isBytes) return pieces;
  return { ...changed(pieces, (text) => editsOf(text, /[^!-~]/gu, byteAlphabet.encode)), isBytes: false };
}

function prefix(text: string): Edit {
  return { from: 0, to: 0, text };
}

const SCHEMES = ['always', 'first', 'never'];

/** @source tokenizers, `metaspace.rs`; older files say `add_prefix_space` */
function metaspace(part: JsonPart): PreTokeniser {
  const mark = textField(part, 'replacement', '▁');
  const given = textField(part, 'prepend_scheme', 'always');
  if (!SCHEMES.includes(given)) return refuseField(`${part.path}prepend_scheme`, SCHEMES.join(', '), given);
  const scheme = flagField(part, 'add_prefix_space', true) ? given : 'never';
  const pattern = patternOf({ ...part, value: { pattern: { String: mark } } });
  const splits = splitting(pattern, BEHAVIOURS.MergedWithNext);
  return (pieces) => {
    const marked = changed(pieces, (text, isFirst) => {
      const adds = scheme === 'always' || (scheme === 'first' && isFirst);
      const begins = text.startsWith(' ') || text.startsWith(mark);
      return [...(adds && !begins ? [prefix(mark)] : []), ...editsOf(text, / /g, () => mark)];
    });
    return flagField(part, 'split', true) ? splits(marked) : marked;
  };
}
