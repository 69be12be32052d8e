import {
  DELETION,
  type Figure,
  type Order,
  SHARES,
  controlOrders,
  correlationFigure,
  erasureOf,
  jointly,
  kendallTau,
  meanFigure,
  rankCorrelation,
  singly,
} from './measures.ts';
import type { ExplainBody, ExplainResponse } from '../../contract/explain.ts';
import {
  canDelete,
  createLikelihoods,
  type LikelihoodOptions,
  type Likelihoods,
  type Removal,
  type RemovalMethod,
  scoredSections,
} from './likelihoods.ts';

export type { Figure } from './measures.ts';
export { MeasurementError, OTHER_MODEL } from './likelihoods.ts';

/** What is measured, and with how many draws. */
export interface FaithfulnessOptions extends LikelihoodOptions {
  /** Scores of other methods to compare with, by name, one for each section in the order of the answer. */
  readonly others?: Readonly<Record<string, readonly number[]>>;
  /** Random orders; default 5. */
  readonly draws?: number;
  /** Random sets of sections that are suppressed together; default 32. */
  readonly sets?: number;
  /** Of all draws; default 1. */
  readonly seed?: number;
}

/** Effect of removing sections by an order, nats of log-likelihood, mean over 5, 10, 20, 35 and 50 % of the sections. */
export interface ErasureFigures {
  /** Lost without the first sections; high where they matter. */
  readonly comprehensiveness: Figure | null;
  /** Lost with only the first sections; low where they suffice. */
  readonly sufficiency: Figure | null;
}

/** How faithful an order of the sections is to the model. null: not defined, such as a correlation of equal numbers. */
export interface OrderFigures {
  /** `explanation`, `deletion`, `random`, `last first`, `longest first`, or a name of `others`. */
  readonly name: string;
  readonly controls: ErasureFigures;
  /** null if sections cannot be deleted: with a picture, or controls of the prompt. */
  readonly deletion: ErasureFigures | null;
  /** Kendall's τ-b with the losses when each section is deleted by itself. */
  readonly kendall: Figure | null;
  /** Spearman's ρ with the same. */
  readonly spearman: Figure | null;
  /** Linear datamodelling score: Spearman's ρ of summed scores with the losses when random sets are suppressed together. */
  readonly datamodelling: Figure | null;
}

/** A measured explanation. */
export interface Faithfulness {
  readonly sections: number;
  /** Log-likelihood of the target, nats. */
  readonly logLikelihood: number;
  /** Calls of `/evaluate`. */
  readonly evaluations: number;
  /** The explanation first. */
  readonly orders: readonly OrderFigures[];
}

/** Shares of fewer sections are not worth averaging. */
const MIN_SECTIONS = 4;

/**
 * Measures an explanation from its request and response, and orders that ignore the model.
 *
 * @throws {RangeError} for fewer than 4 sections, a factor of 1, or scores that are not in nats
 * @throws {MeasurementError} when the service refuses a call, or another model answers (`OTHER_MODEL`)
 * @throws {DOMException} AbortError
 * @source comprehensiveness, sufficiency: DeYoung et al. 2020 (ERASER), here in nats; linear datamodelling score: Park et al.
 *         2023 (TRAK), as Cohen-Wang et al. 2024 (ContextCite) use it
 */
export async function measureFaithfulness(
  request: ExplainBody,
  { explanations, model_version: version }: Pick<ExplainResponse, 'explanations' | 'model_version'>,
  { others = {}, draws = 5, sets = 32, seed = 1, ...options }: FaithfulnessOptions,
): Promise<Faithfulness> {
  const { sections, scores } = scoredSections(request, explanations);
  if (sections.length < MIN_SECTIONS)
    throw new RangeError(`expected at least ${MIN_SECTIONS} sections, got ${sections.length}`);
  if (request.control_factor === 1) throw new RangeError('expected a factor that changes something, got 1');
  const given: Order[] = [
    { name: 'explanation', draws: [scores] },
    ...Object.entries(others).map(([name, list]) => ({ name, draws: [checked(list, sections.length)] })),
    ...controlOrders(sections, draws, seed),
  ];
  const hasDeletion = canDelete(request);
  const methods: readonly RemovalMethod[] = hasDeletion ? ['controls', 'deletion'] : ['controls'];
  const [single, joint] = [singly(sections.length), jointly(sections.length, sets, seed)];
  const likelihoods = createLikelihoods(request, { sections, version }, options);
  const first = [...removalsOf(given, methods), ...joint.map((removal) => ['controls', removal] as const)];
  if (hasDeletion) first.push(...single.map((removal) => ['deletion', removal] as const));
  await likelihoods.ask(first, hasDeletion ? 2 * SHARES.length * methods.length : 0);
  const alone = hasDeletion ? single.map((removal) => likelihoods.loss('deletion', removal)) : [];
  const deletion: Order[] = hasDeletion ? [{ name: DELETION, draws: [alone] }] : [];
  await likelihoods.ask(removalsOf(deletion, methods), 0);
  return {
    sections: sections.length,
    logLikelihood: likelihoods.whole(),
    evaluations: likelihoods.evaluations(),
    orders: [...given, ...deletion].map((order) => figuresOf(order, likelihoods, alone, joint)),
  };
}

/** Removals that are needed to measure orders. */
function removalsOf(
  orders: readonly Order[],
  methods: readonly RemovalMethod[],
): (readonly [RemovalMethod, Removal])[] {
  const erasures = orders.flatMap(({ draws }) => draws.map(erasureOf));
  const removals = erasures.flatMap(({ first, others }) => [...first, ...others]);
  return methods.flatMap((method) => removals.map((removal) => [method, removal] as const));
}

function checked(scores: readonly number[], sections: number): readonly number[] {
  if (scores.length !== sections) throw new RangeError(`expected ${sections} scores, got ${scores.length}`);
  return scores;
}

/**
 * Figures of an order.
 *
 * @param alone  loss of each section when it is deleted by itself; empty if sections cannot be deleted
 * @param joint  random sets
 */
function figuresOf(
  { name, draws }: Order,
  likelihoods: Likelihoods,
  alone: readonly number[],
  joint: readonly Removal[],
): OrderFigures {
  const losses = joint.map((removal) => likelihoods.loss('controls', removal));
  const isItself = name === DELETION || alone.length === 0; // the losses agree with themselves, which says nothing
  const ranked = (kind: 'kendall' | 'spearman') => (scores: readonly number[]) =>
    correlationFigure(kind, (kind === 'kendall' ? kendallTau : rankCorrelation)(scores, alone), alone.length);
  const summed = (scores: readonly number[]) => {
    const sums = joint.map((removal) => scores.reduce((sum, score, at) => sum + (removal[at] ? score : 0), 0));
    return correlationFigure('spearman', rankCorrelation(sums, losses), losses.length);
  };
  return {
    name,
    controls: erasureFigures(draws, likelihoods, 'controls'),
    deletion: alone.length > 0 ? erasureFigures(draws, likelihoods, 'deletion') : null,
    kendall: isItself ? null : overDraws(draws, ranked('kendall')),
    spearman: isItself ? null : overDraws(draws, ranked('spearman')),
    datamodelling: overDraws(draws, summed),
  };
}

/** One draw has the interval of its own figure, several that of their mean. */
function overDraws(draws: Order['draws'], figure: (scores: readonly number[]) => Figure | null): Figure | null {
  const figures = draws.flatMap((scores) => figure(scores) ?? []);
  return figures.length === 1 ? (figures[0] ?? null) : meanFigure(figures.map(({ value }) => value));
}

function erasureFigures(draws: Order['draws'], { loss }: Likelihoods, method: RemovalMethod): ErasureFigures {
  const mean = (removals: readonly Removal[]) =>
    removals.reduce((sum, removal) => sum + loss(method, removal), 0) / removals.length;
  const erasures = draws.map(erasureOf);
  return {
    comprehensiveness: meanFigure(erasures.map(({ first }) => mean(first))),
    sufficiency: meanFigure(erasures.map(({ others }) => mean(others))),
  };
}
