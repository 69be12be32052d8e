import documents from './contract-questions.json' with { type: 'json' };

/** What a document serves for. No threshold is chosen on documents of the part that is reported. */
export type Part = 'training' | 'choosing' | 'reporting';

/** A question about a short office text: a lease, a data processing agreement, a handbook, an invoice or minutes. */
export interface DocumentQuestion {
  readonly part: Part;
  readonly text: string;
  readonly question: string;
  /** All right answers, the best first, `start` in code points of the text; none where the text does not answer the question. */
  readonly answers: readonly { readonly text: string; readonly start: number }[];
  /** Only where there is no answer: words that every answer to the question needs and that the text does not contain. */
  readonly absent?: string;
}

/** The 300 questions, five on each of 60 documents. Both were written for this project; all names are invented. */
export function contractQuestions(): DocumentQuestion[] {
  return documents.flatMap(({ part, text, questions }) =>
    questions.map((asked) => ({ ...asked, part: partOf(part), text })),
  );
}

/** @throws {RangeError} for another word */
function partOf(name: string): Part {
  if (name === 'training' || name === 'choosing' || name === 'reporting') return name;
  throw new RangeError(`expected training, choosing or reporting, got "${name}"`);
}
