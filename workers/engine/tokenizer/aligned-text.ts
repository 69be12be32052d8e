/**
 * A text that the steps of a tokenizer change, with the place that each UTF-16 unit has in the text as given. A unit that a step
 * inserts has the place of the unit after it, at the end that of the one before; units made of one character share its place.
 */
export interface AlignedText {
  readonly text: string;
  /** First unit of each unit's place in the text as given, `[text]`; never decreasing. */
  readonly starts: Int32Array;
  /** The unit after each unit's place, `[text]`. */
  readonly ends: Int32Array;
}

/** A part of a text, `[from, to)`, and what replaces it; one without length is an insertion. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A text as given: each unit has the place of its character. */
export function alignedText(text: string): AlignedText {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let unit = 0; unit < text.length; unit++) {
    starts[unit] = unit;
    ends[unit] = unit + 1;
  }
  for (const { index } of text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)) {
    starts[index + 1] = index;
    ends[index] = index + 2;
  }
  return { text, starts, ends };
}

/** A part of a text with its places. */
export function slicedText({ text, starts, ends }: AlignedText, from: number, to: number): AlignedText {
  return { text: text.slice(from, to), starts: starts.subarray(from, to), ends: ends.subarray(from, to) };
}

/** The text with edits, which are in order and do not overlap. */
export function edited(aligned: AlignedText, edits: readonly Edit[]): AlignedText {
  if (edits.length === 0) return aligned;
  const growth = edits.reduce((sum, { from, to, text }) => sum + text.length - (to - from), 0);
  const length = aligned.text.length + growth;
  const [starts, ends] = [new Int32Array(length), new Int32Array(length)];
  const parts: string[] = [];
  let read = 0;
  let written = 0;
  const copyTo = (end: number) => {
    parts.push(aligned.text.slice(read, end));
    starts.set(aligned.starts.subarray(read, end), written);
    ends.set(aligned.ends.subarray(read, end), written);
    written += end - read;
    read = end;
  };
  for (const { from, to, text } of edits) {
    copyTo(from);
    const place = placeOf(aligned, from, to);
    parts.push(text);
    starts.fill(place.start, written, written + text.length);
    ends.fill(place.end, written, written + text.length);
    written += text.length;
    read = to;
  }
  copyTo(aligned.text.length);
  return { text: parts.join(''), starts, ends };
}

/** The place of a part of the text; of an empty part that of the unit after it, or before it at the end. */
function placeOf({ starts, ends }: AlignedText, from: number, to: number): { start: number; end: number } {
  const first = from < to ? from : Math.min(from, starts.length - 1);
  const last = from < to ? to - 1 : first;
  return { start: starts[first] ?? 0, end: ends[last] ?? 0 };
}

/** An edit for each match of a global pattern whose replacement differs from it. */
export function editsOf(text: string, pattern: RegExp, replacementOf: (match: string) => string): Edit[] {
  const edits: Edit[] = [];
  for (const { index, 0: match } of text.matchAll(pattern)) {
    const replacement = replacementOf(match);
    if (replacement !== match) edits.push({ from: index, to: index + match.length, text: replacement });
  }
  return edits;
}
