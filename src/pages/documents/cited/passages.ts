import { questionPrompt, passagesPrompt } from '../../../explanations/citations.ts';
import { commandIn } from '../../../explanations/commands.ts';
import { tokenEstimate } from '../../../explanations/token-estimate.ts';
import { type DocumentAnswer, type ListedDocument, readyIn, sliceOf } from '../answers.ts';

/** A passage that a server reads. */
export interface CitedPassage {
  /** The best answer that the search found in it. */
  readonly found: DocumentAnswer;
  /** In one line, as it is sent. */
  readonly text: string;
  /** Its first sentence that commands; null where there is none. */
  readonly command: string | null;
}

/** Passages at most, as many as were measured. @source docs/benchmarks.md, passages that lead to an answer */
const MAX_PASSAGES = 10;

/** Tokens of an answer at most. */
export const MAX_ANSWER = 128;

/** Sentences of an answer that are linked to passages, at most. */
export const MAX_SENTENCES = 8;

/** Share of the model's tokens that passages and question may take: their number is an estimate. */
const CONTEXT_SHARE = 0.75;

/**
 * The passages that search found, the likeliest first, as many as the model can read.
 *
 * @param found          answers, the likeliest first
 * @param contextTokens  of the model
 */
export function passagesFor(
  found: readonly DocumentAnswer[],
  list: readonly ListedDocument[],
  question: string,
  contextTokens: number,
): CitedPassage[] {
  const texts = new Map(readyIn(list).map(({ id, document }) => [id, document.text]));
  const passages: CitedPassage[] = [];
  for (const answer of found) {
    const text = sliceOf(texts.get(answer.document) ?? '', answer.passage)
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (text === '' || passages.some((passage) => passage.text === text)) continue;
    const tokens = promptTokens([...passages.map((passage) => passage.text), text], question);
    if (passages.length === MAX_PASSAGES || tokens + MAX_ANSWER > contextTokens * CONTEXT_SHARE) break;
    passages.push({ found: answer, text, command: commandIn(text) });
  }
  return passages;
}

function promptTokens(passages: readonly string[], question: string): number {
  return tokenEstimate(passagesPrompt(passages, questionPrompt(question)).join(''), false);
}

/** Tokens of a sentence, as most have. */
const SENTENCE_TOKENS = 32;

/** What is sent for an answer, and then for each of its sentences, about. */
export function requestPlan(passages: readonly CitedPassage[], question: string) {
  const texts = passages.map(({ text }) => text);
  const [whole, asked] = [promptTokens(texts, question), promptTokens([], question)];
  const { length: count } = passages;
  const requests = 2 * count + 3; // all passages and all but each; all, none, and each alone
  const tokens = (count + 2) * whole + (count + 1) * asked + requests * SENTENCE_TOKENS;
  return { answerTokens: whole + MAX_ANSWER, requests, tokens };
}

/** The ends of sentences, and of lines; no end is that of an abbreviation, an initial, or the number of an entry in a list. */
const ENDS =
  /(?<=\S)(?=\s*\n)|(?<=(?<!\b(?:\p{Lu}|Dr|Mr|Mrs|Ms|No|St|bzw|ca|vs|\p{Ll}\.\p{Ll})|^\s*\d{1,3})[.!?…]["”’)]*)(?=\s)/mu;

/** The sentences of an answer, each with the white space before it: together they are the answer but for its end. */
export function sentencesIn(answer: string): string[] {
  return answer
    .trimEnd()
    .split(ENDS)
    .filter((sentence) => sentence.trim() !== '');
}

/** Where a model goes on with a question of its own. */
const NEXT_QUESTION = /\n\s*Question:/;

/** The answer in what a model writes after a question, and whether it goes on after the tokens that it may write. */
export function trimmedAnswer(written: string, isCut: boolean): { readonly text: string; readonly isCut: boolean } {
  const end = written.search(NEXT_QUESTION);
  return end < 0 ? { text: written, isCut } : { text: written.slice(0, end), isCut: false };
}
