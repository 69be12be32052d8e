import type { ExplainBody } from '../../contract/explain.ts';
import { NEUTRAL_NATS, type Section, type Stretch, type Tile } from '../explain/influence.ts';
import type { Outcome } from '../explain/outcome.ts';
import { addsLogarithm, requestOf } from '../explain/question.ts';
import { alignedMatches } from './alignment.ts';
import { type PromptParts, promptPartsOf } from './prompt-parts.ts';

/** Why no difference of two results means anything. */
export type Incomparable = 'partial' | 'unchanged' | 'normalized' | 'postprocessing';

/** What differs between two questions besides the scores: a reader must know it, and the difference still counts. */
export type Unlike = 'picture' | 'prompt' | 'target' | 'factor' | 'scaling' | 'granularity' | 'similarity' | 'model';

/** A section of A, of B, or of both. */
export interface ComparedSection {
  /** The same for both sides of a match. */
  readonly id: string;
  readonly a: Section | null;
  readonly b: Section | null;
  /** Score for the whole target in A − in B, nats; null without a match, or where the results are incomparable. */
  readonly difference: number | null;
}

/** Two results side by side, section by section. */
export interface Comparison {
  /** Sections of A in their order, with their matches; then those of B that have no match. */
  readonly sections: readonly ComparedSection[];
  readonly unlike: readonly Unlike[];
  /** Why there is no difference; empty where there is one. */
  readonly reasons: readonly Incomparable[];
}

/**
 * The difference of two results. Sections of text match where they have the same words in the same order, whatever stands
 * between them; tiles where both pictures are the same and the tiles lie at the same place.
 *
 * @edge  scores that are not in nats, or have no sign, an unfinished result, and one with a factor of 1 have no difference
 */
export function comparisonOf(a: Outcome, b: Outcome): Comparison {
  const reasons = reasonsAgainst(a, b);
  return { sections: sectionsOf(a, b, reasons.length === 0), unlike: unlikeIn(a, b), reasons };
}

function reasonsAgainst(a: Outcome, b: Outcome): Incomparable[] {
  const reasons = [a, b].flatMap((one) => [
    ...(isPartial(one) ? (['partial'] as const) : []),
    ...reasonsAgainstScores(requestOf(one.question, '')),
  ]);
  return [...new Set(reasons)];
}

/** Why the scores of a request have no difference with those of another one. */
export function reasonsAgainstScores(
  request: Pick<ExplainBody, 'control_factor' | 'normalize' | 'postprocessing'>,
): Incomparable[] {
  const { control_factor: factor, normalize = false, postprocessing = 'none' } = request;
  const reasons: readonly (readonly [Incomparable, boolean])[] = [
    ['unchanged', factor === 1],
    ['normalized', normalize],
    ['postprocessing', postprocessing !== 'none'],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
}

function isPartial({ modelVersion, influence }: Outcome): boolean {
  return modelVersion === null || influence.sections.some(({ scores }) => scores.includes(null));
}

function sectionsOf(a: Outcome, b: Outcome, isComparable: boolean): ComparedSection[] {
  const [ofA, ofB] = [a.influence.sections, b.influence.sections];
  const isSamePicture = a.question.picture?.data === b.question.picture?.data;
  const partners = new Map([
    ...(isSamePicture ? matchedTiles(a.influence.picture, b.influence.picture) : []),
    ...matchedStretches(a.influence.prompt, b.influence.prompt),
  ]);
  const matched = new Set(partners.values());
  const withA = ofA.map((section, index) => {
    const partner = partners.get(section) ?? null;
    const difference = partner && isComparable ? section.total - partner.total : null;
    return { id: `a-${index}`, a: section, b: partner, difference };
  });
  const onlyB = ofB.filter((section) => !matched.has(section));
  return [...withA, ...onlyB.map((section, index) => ({ id: `b-${index}`, a: null, b: section, difference: null }))];
}

function matchedStretches(a: readonly Stretch[], b: readonly Stretch[]): (readonly [Section, Section])[] {
  const matches = alignedMatches(a.map(wordsOf), b.map(wordsOf));
  return matches.flatMap(([i, j]) => paired(a[i], b[j]));
}

function matchedTiles(a: readonly Tile[], b: readonly Tile[]): (readonly [Section, Section])[] {
  const byPlace = new Map(b.map((tile) => [tile.id, tile]));
  return a.flatMap((tile) => paired(tile, byPlace.get(tile.id)));
}

function paired(a: Section | undefined, b: Section | undefined): (readonly [Section, Section])[] {
  return a && b ? [[a, b]] : [];
}

/** What must be the same: the words, not the spaces around and between them. Sections of white space alone are their spaces. */
function wordsOf({ text }: Stretch): string {
  const words = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  return words === '' ? text : words;
}

function unlikeIn(a: Outcome, b: Outcome): Unlike[] {
  const [of, to] = [a.question, b.question];
  const [from, into] = [of.settings, to.settings];
  const differs: readonly (readonly [Unlike, unknown, unknown])[] = [
    ['picture', of.picture?.data, to.picture?.data],
    ['prompt', of.prompt, to.prompt],
    ['target', of.target, to.target],
    ['factor', from.factor, into.factor],
    ['scaling', addsLogarithm(from), addsLogarithm(into)],
    ['granularity', granularityOf(a), granularityOf(b)],
    ['similarity', from.similarity, into.similarity],
    ['model', a.modelVersion, b.modelVersion],
  ];
  return differs.filter(([, one, other]) => one !== other).map(([name]) => name);
}

function granularityOf({ question }: Outcome): string {
  return JSON.stringify(requestOf(question, '').prompt_granularity ?? null);
}

/** Matches whose difference is more than noise, the largest first. */
export function largestDifferences({ sections }: Comparison): ComparedSection[] {
  const size = ({ difference }: ComparedSection) => Math.abs(difference ?? 0);
  return sections.filter((one) => size(one) >= NEUTRAL_NATS).sort((one, other) => size(other) - size(one));
}

/** The sections of one side, under the ids of the comparison. */
export function sideOf({ sections }: Comparison, side: 'a' | 'b'): PromptParts {
  return promptPartsOf(sections.flatMap((one) => (one[side] ? [{ ...one[side], id: one.id }] : [])));
}

/** The sections of A with their differences in place of scores, in the only column; null where there is none. */
export function differencesOf({ sections }: Comparison): PromptParts {
  return promptPartsOf(
    sections.flatMap(({ id, a, difference }) =>
      a ? [{ ...a, id, scores: [difference], total: difference ?? 0 }] : [],
    ),
  );
}
