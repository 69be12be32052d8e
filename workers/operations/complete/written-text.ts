import type { Tokenizer } from '../../engine/loading/tokenizer.ts';

/** A character of several tokens is waited for, for so many of them at most. */
const LONGEST_CHARACTER = 8;

/** Text of tokens as they come, up to a stop sequence. */
export interface WrittenText {
  push(id: number): void;
  /** Whether a stop sequence was written. */
  readonly isStopped: boolean;
  /** All text so far, a stop sequence and what is behind it included. */
  readonly raw: string;
  /** The text before a stop sequence. */
  readonly text: string;
  /**
   * Text that is new since the last call and stays: neither the beginning of a stop sequence nor of a character.
   *
   * @param isOver  nothing will come any more
   */
  fresh(isOver: boolean): string;
}

/** @param stopSequences  none of them empty */
export function writtenText({ read }: Pick<Tokenizer, 'read'>, stopSequences: readonly string[]): WrittenText {
  const longest = Math.max(0, ...stopSequences.map(({ length }) => length));
  let whole = '';
  let pending: number[] = [];
  let stop = -1;
  let told = 0;
  const pendingText = () => (pending.length === 0 ? '' : read(pending).text);
  const settle = (more: string) => {
    const from = Math.max(0, whole.length - longest + 1);
    whole += more;
    pending = [];
    if (stop < 0) stop = firstOf(whole, stopSequences, from);
  };
  const kept = () => (stop < 0 ? whole : whole.slice(0, stop));
  return {
    push(id) {
      pending.push(id);
      const more = pendingText();
      if (!more.endsWith('\uFFFD') || pending.length >= LONGEST_CHARACTER) settle(more);
    },
    get isStopped() {
      return stop >= 0;
    },
    get raw() {
      return whole + pendingText();
    },
    get text() {
      return stop < 0 ? whole + pendingText() : kept();
    },
    fresh(isOver) {
      if (isOver && stop < 0) settle(pendingText());
      const text = kept();
      const end = isOver || stop >= 0 ? text.length : text.length - begunIn(text, stopSequences);
      const from = told;
      told = Math.max(told, end);
      return text.slice(from, told);
    },
  };
}

/** Where the first of some texts stands in another, at `from` or later; −1 for none. */
function firstOf(text: string, wanted: readonly string[], from: number): number {
  const places = wanted.map((each) => text.indexOf(each, from)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Length of the longest end of a text with which one of the others begins. */
function begunIn(text: string, others: readonly string[]): number {
  return others.reduce((most, other) => Math.max(most, longestBeginning(text, other)), 0);
}

function longestBeginning(text: string, other: string): number {
  for (let length = Math.min(text.length, other.length - 1); length > 0; length--)
    if (text.endsWith(other.slice(0, length))) return length;
  return 0;
}
