import type { UnreadPart } from '../../../../src/contract/qa.ts';

/** A sentence at a place of a file, and whether it is read there, or what is reported in its place. */
export interface PlacedFact {
  readonly place: string;
  readonly fact: string;
  readonly expected: 'read' | UnreadPart['kind'];
}

/** A file, and the facts that it states. */
export interface FileWithFacts {
  readonly file: File;
  readonly facts: readonly PlacedFact[];
}

/** What a file is about. Its texts have neither marks of Markdown nor characters that XML or CSV would quote. */
export interface Writing {
  readonly title: string;
  /** A sentence without its full stop, which no other of the file is. */
  fact(): string;
  /** A paragraph without facts. */
  filler(): string;
}

/** How a fact is written at a place of a file, and what is reported if it is not read there. */
export interface Place {
  readonly write: (fact: string) => string;
  readonly expected?: UnreadPart['kind'];
}

/** Places by name. */
export type Places = Readonly<Record<string, Place>>;

/** A fact at each place. */
export function placed(
  places: readonly (readonly [name: string, place: Place])[],
  { fact: next }: Writing,
): (PlacedFact & { readonly written: string })[] {
  return places.map(([place, { write, expected }]) => {
    const fact = next();
    return { place, fact, expected: expected ?? 'read', written: write(fact) };
  });
}

/** Sentences with numbers that no other has. */
export function plainWriting(seed: number): Writing {
  const nouns = ['deposit', 'rent', 'notice period', 'service fee', 'late charge', 'insurance sum', 'contract number'];
  let count = 0;
  return {
    title: `Contract ${seed}`,
    fact: () => `The ${nouns[(seed + count) % nouns.length]} is ${seed * 1_000 + ++count} units`,
    filler: () => 'This agreement is made between the parties named above.',
  };
}
