import { createElement, Fragment, type ReactNode } from 'react';

/** A name in braces; the text around it stays as it is. */
const NAMES = /\{(\w+)\}/;

interface SentenceProps {
  readonly text: string;
  /** Elements, by the names that the text has in braces. A name may occur twice in the text, or not at all. */
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** A text with elements in it: `Open {link} first.` @throws {Error} for a name that has no element */
export function Sentence({ text, parts }: SentenceProps) {
  // Split by a pattern with a group, every second piece is a name.
  const pieces = text.split(NAMES).map((piece, index) => (index % 2 === 0 ? piece : partOf(parts, piece)));
  return createElement(Fragment, null, ...pieces); // as arguments they need no keys
}

function partOf(parts: SentenceProps['parts'], name: string): ReactNode {
  if (!Object.hasOwn(parts, name)) throw new Error(`no element for {${name}} of a sentence`);
  return parts[name];
}
