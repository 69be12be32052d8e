import { scoredSections } from '../client/faithfulness/sections.ts';
import type { ExplainBody, Explanation } from '../contract/explain.ts';

/** A sentence of an answer, and what the model read and wrote before it. */
export interface CitedSentence {
  /** Without blank lines: each is one section. */
  readonly passages: readonly string[];
  /** The question, and the answer up to the sentence. */
  readonly asked: string;
  /** With the white space before it. */
  readonly sentence: string;
}

/** A question in the form that small models know best. */
export function questionPrompt(question: string): string {
  return `\nQuestion: ${question.trim()}\nAnswer:`;
}

/** The passages, then the question. */
export function passagesPrompt(passages: readonly string[], asked: string): string[] {
  return [...passages.map((passage) => `${passage}\n\n`), asked];
}

/**
 * Asks how much less likely a sentence is without each passage (`deletion`: the passage is necessary), or how much more likely with
 * that passage alone (`insertion`: it is sufficient).
 *
 * @source ContextCite, arXiv:2409.00729, which asks the model that answers; Gao et al. 2023, arXiv:2305.14627, ask another one whether a
 *   passage says the sentence, and of several passages whether each is needed
 */
export function citationBody(
  model: string,
  { passages, asked, sentence }: CitedSentence,
  method: 'deletion' | 'insertion',
): ExplainBody {
  return {
    model,
    prompt: passagesPrompt(passages, asked).map((data) => ({ type: 'text', data })),
    target: sentence,
    explained_items: [...passages.keys()],
    prompt_granularity: { type: 'paragraph' },
    method,
  };
}

/** The score of each passage, nats. @throws {RangeError} for scores that are not one for each passage */
export function passageScores(body: ExplainBody, explanations: readonly Explanation[]): number[] {
  const { sections, scores } = scoredSections(body, explanations);
  const passages = body.explained_items ?? [];
  if (sections.length !== passages.length || sections.some(({ item }, at) => item !== passages[at]))
    throw new RangeError(`expected a score for each of ${passages.length} passages, got ${sections.length}`);
  return [...scores];
}

/** A passage that supports a sentence: the rise of the sentence's cross entropy without it, and the fall with it alone, nats. */
export interface PassageLink {
  readonly passage: number;
  readonly necessity: number;
  readonly sufficiency: number;
}

/** A smaller effect, below e times the likelihood, is no support. Nats. */
const LINK_NATS = 1;

/** What a passage alone gives, at least, of what the most sufficient one gives: any text makes most sentences more likely than none. */
const SUFFICIENT_SHARE = 0.5;

/** The passages that support a sentence, the strongest first. @source docs/benchmarks.md, passages of an answer */
export function linksOf(necessity: readonly number[], sufficiency: readonly number[]): PassageLink[] {
  const sufficient = Math.max(LINK_NATS, SUFFICIENT_SHARE * Math.max(...sufficiency));
  const effect = (link: PassageLink) => Math.max(link.necessity, link.sufficiency);
  return necessity
    .map((own, passage) => ({ passage, necessity: own, sufficiency: sufficiency[passage] ?? NaN }))
    .filter((link) => link.necessity >= LINK_NATS || link.sufficiency >= sufficient)
    .toSorted((a, b) => effect(b) - effect(a));
}
