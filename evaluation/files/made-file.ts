import type { UnreadPart } from '../../src/contract/qa.ts';

/** A file with facts at places that are known. */
export interface MadeFile {
  /** Unique, with its extension. */
  readonly name: string;
  /** What kind of document it is, and how it was made. */
  readonly group: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly facts: readonly Fact[];
}

/** Words that a search must find in the text of a file. */
export interface Fact {
  /** Where in the file they are, such as `field` or `footnote`. */
  readonly place: string;
  /** White space counts as one space. */
  readonly words: string;
  /** What the reader counts as not read where it says that it does not read them. */
  readonly reportedAs?: UnreadPart['kind'];
  /** Whether a reader of the file does not see it, so that it must not be in the text. */
  readonly isUnseen?: boolean;
}

/** What became of a fact: it is in the text, or the reader says that its place was not read, or neither; or it should not be in the text. */
export type Outcome = 'held' | 'reported' | 'lost' | 'exposed';

/** What a reader made of a file; null for the text where it refused the file. */
export interface Reading {
  readonly text: string | null;
  readonly unread: readonly UnreadPart[];
}

/** The outcome of each fact of a file. A refused file is reported as a whole; each part that is not read reports one fact. */
export function outcomesOf(facts: readonly Fact[], { text, unread }: Reading): Outcome[] {
  const flat = text === null ? null : oneSpaced(text);
  const left = new Map(unread.map(({ kind, count }) => [kind, count]));
  return facts.map(({ words, reportedAs, isUnseen }) => {
    if (flat === null) return 'reported';
    if (flat.includes(oneSpaced(words))) return isUnseen ? 'exposed' : 'held';
    const count = (reportedAs && left.get(reportedAs)) ?? 0;
    if (reportedAs) left.set(reportedAs, count - 1);
    return count > 0 ? 'reported' : 'lost';
  });
}

function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
