/** Texts of the parts of the app, by part. English needs none: its texts are in the code. */
export type Tables = Readonly<Record<string, object>>;

interface Spoken {
  /** BCP 47. */
  readonly tag: string;
  readonly tables: Tables;
}

const ENGLISH: Spoken = { tag: 'en', tables: {} };

let spoken = ENGLISH;

/** From here on, the parts of the app say what the tables hold; a part that they lack stays English. */
export function speak(tag: string, tables: Tables): void {
  spoken = { tag, tables };
}

/** The language that is spoken now, as BCP 47 has it. */
export function spokenTag(): string {
  return spoken.tag;
}

/**
 * The texts of a part of the app, in the language that is spoken when they are asked for.
 *
 * @param name  of the part in the tables; their type, `Translation`, keeps the two alike
 * @param english  its texts, and the model of every translation
 */
export function wordsOf<Words extends object>(name: string, english: Words): () => Words {
  return () => (spoken.tables[name] as Words | undefined) ?? english;
}
