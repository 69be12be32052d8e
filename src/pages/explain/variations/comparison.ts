import { createStore, type StoreApi } from 'zustand/vanilla';
import { NEUTRAL_NATS, type Section, type TextSection, type Tile } from '../../../explanations/influence.ts';
import type { Outcome } from '../../../explanations/outcome.ts';
import { missingIn, type Question } from '../../../explanations/question.ts';
import { createLatest } from '../../../stores/latest-request.ts';
import { memoized } from '../../../stores/memoized.ts';
import { type ExplainSource, runQuestion } from '../explain-store.ts';

/** A second question beside an outcome: the outcome is A, the second question B. */
interface CompareState {
  readonly question: Question;
  readonly model: string;
  /** The model of the newest request; null before the first. */
  readonly requestedModel: string | null;
  readonly phase: Parameters<Parameters<typeof runQuestion>[3]>[0];
  edit(change: Partial<Pick<Question, 'prompt' | 'target'>>): void;
  setFactor(factor: number): void;
  choose(model: string): void;
  /** Requests the outcome of B; an older request is aborted. Settles when this one, or a newer one, has ended. */
  run(): Promise<void>;
  cancel(): void;
}

/** The one store of an outcome A, first with its question: B and its outcome last as long as A, also while another page is open. */
export const comparedWith = memoized((a: Outcome, source: ExplainSource): StoreApi<CompareState> => {
  const latest = createLatest();
  return createStore<CompareState>((set, get) => ({
    question: a.question,
    model: source.model,
    requestedModel: null,
    phase: { kind: 'idle' },
    edit: (change) => set({ question: { ...get().question, ...change } }),
    setFactor: (factor) =>
      set(({ question }) => ({ question: { ...question, settings: { ...question.settings, factor } } })),
    choose: (model) => set({ model }),
    async run() {
      const { question, model } = get();
      if (missingIn(question)) return;
      set({ requestedModel: model });
      await runQuestion(question, { client: source.client, model }, latest, (phase) => set({ phase }));
    },
    cancel() {
      latest.cancel();
      if (get().phase.kind === 'running') set({ phase: { kind: 'idle' } });
    },
  }));
});

/** Why the difference of two outcomes means nothing. */
type IncomparableReason = 'partial' | 'unchanged';

/** A section of A, of B, or of both. */
interface ComparedSection {
  /** The same for both sides of a match. */
  readonly id: string;
  readonly a: Section | null;
  readonly b: Section | null;
  /** Score for the whole target in A − in B, nats; null without a match, or where the outcomes are incomparable. */
  readonly difference: number | null;
}

/** Two outcomes side by side, section by section. */
interface Comparison {
  /** Sections of A in their order, with their matches; then those of B that have no match. */
  readonly sections: readonly ComparedSection[];
  /** Why the outcomes cannot be compared; empty where they can. */
  readonly reasons: readonly IncomparableReason[];
}

/**
 * The difference of two outcomes. Sections of text match where they have the same words in the same order, whatever is
 * between them; tiles where they have the same place, because the picture of B is that of A.
 *
 * @edge  a partial outcome, and one with a factor of 1, have no difference
 */
export function comparisonOf(a: Outcome, b: Outcome): Comparison {
  const reasons = reasonsAgainst(a, b);
  return { sections: sectionsOf(a, b, reasons.length === 0), reasons };
}

function reasonsAgainst(a: Outcome, b: Outcome): IncomparableReason[] {
  const reasons = [a, b].flatMap(({ modelVersion, influence, question }): IncomparableReason[] => {
    const isPartial = modelVersion === null || influence.sections.some(({ scores }) => scores.includes(null));
    const isUnchanged = question.settings.factor === 1;
    return [...(isPartial ? (['partial'] as const) : []), ...(isUnchanged ? (['unchanged'] as const) : [])];
  });
  return [...new Set(reasons)];
}

function sectionsOf(a: Outcome, b: Outcome, isComparable: boolean): ComparedSection[] {
  const [ofA, ofB] = [a.influence.sections, b.influence.sections];
  const partners = new Map([
    ...matchedTiles(a.influence.picture, b.influence.picture),
    ...matchedTextSections(a.influence.prompt, b.influence.prompt),
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

function matchedTextSections(a: readonly TextSection[], b: readonly TextSection[]): (readonly [Section, Section])[] {
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

/** The text without the spaces around and between words; sections of white space alone are their spaces. */
function wordsOf({ text }: TextSection): string {
  const words = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  return words === '' ? text : words;
}

/** Matches whose difference is more than noise, the largest first. */
export function largestDifferences({ sections }: Comparison): ComparedSection[] {
  const size = ({ difference }: ComparedSection) => Math.abs(difference ?? 0);
  return sections.filter((one) => size(one) >= NEUTRAL_NATS).sort((one, other) => size(other) - size(one));
}

/** Sections of a prompt by where they are, in the order of an outcome. */
type PromptParts = Pick<Outcome['influence'], 'picture' | 'prompt'>;

function promptPartsOf(sections: readonly Section[]): PromptParts {
  return {
    picture: sections
      .filter((section) => section.part === 'picture')
      .sort((a, b) => a.rect.top - b.rect.top || a.rect.left - b.rect.left),
    prompt: sections
      .filter((section): section is TextSection => section.part === 'prompt')
      .sort((a, b) => a.start - b.start || a.length - b.length),
  };
}

/** The sections of one side, under the ids of the comparison. */
export function sideOf({ sections }: Comparison, side: 'a' | 'b'): PromptParts {
  return promptPartsOf(sections.flatMap((one) => (one[side] ? [{ ...one[side], id: one.id }] : [])));
}

/** The sections of A with their differences instead of scores, in the only column; null without a match. */
export function differencesOf({ sections }: Comparison): PromptParts {
  return promptPartsOf(
    sections.flatMap(({ id, a, difference }) =>
      a ? [{ ...a, id, scores: [difference], total: difference ?? 0 }] : [],
    ),
  );
}

/**
 * Matches entries of two lists that are equal, in the order of both: as many as possible, so that a word that was inserted,
 * removed or moved leaves the others matched. Of several ways the one that matches earlier entries of `a` is taken.
 *
 * @param a  at most a few thousand entries: time and memory grow with the product of both lengths
 * @returns  indices of the matches, in order
 * @source   longest common subsequence, Wagner and Fischer 1974
 */
export function alignedMatches(a: readonly string[], b: readonly string[]): (readonly [a: number, b: number])[] {
  const width = b.length + 1;
  const most = lcsLengths(a, b);
  const matches: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const here = most[i * width + j] ?? 0;
    if (a[i] === b[j]) matches.push([i++, j++]);
    else if ((most[i * width + j + 1] ?? 0) === here) j++;
    else i++;
  }
  return matches;
}

/** Length of the longest common subsequence of the rests from each pair of indices on, row-major, `[a + 1, b + 1]`. */
function lcsLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const most = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [down, right] = [most[(i + 1) * width + j] ?? 0, most[i * width + j + 1] ?? 0];
      const across = most[(i + 1) * width + j + 1] ?? 0;
      most[i * width + j] = a[i] === b[j] ? across + 1 : Math.max(down, right);
    }
  }
  return most;
}
