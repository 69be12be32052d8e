import { correlationFigure, type Figure, kendallTau, meanFigure, rankCorrelation } from './measures.ts';
import {
  canDelete,
  DEFAULT_DRAWS,
  DEFAULT_SETS,
  deleted,
  isByAttention,
  itemsOf,
  type PlacedSection,
  scoredSections,
  SHARES,
  suppressed,
} from './sections.ts';
import { computationOf } from '../ask-defaults.ts';
import type { Client, Problem } from '../client.ts';
import type { ExplainBody, ExplainResponse } from '../../contract/explain.ts';
import type { EvaluateResponse } from '../../contract/likelihood.ts';
import type { PromptItem } from '../../contract/prompt.ts';

export type { Figure } from './measures.ts';

/** A refused or failed call of a measurement. */
export class MeasurementError extends Error {
  override readonly name = 'MeasurementError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Code of a problem: another model answers than the explained one. */
export const OTHER_MODEL = 'OTHER_MODEL';

/** What is measured, and with how many draws. */
export interface FaithfulnessOptions {
  readonly client: Pick<Client, 'evaluate'>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
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
  /** null if the explanation is by a method other than `attention`. */
  readonly controls: ErasureFigures | null;
  /** null if sections cannot be deleted: with a picture, or controls of the prompt. */
  readonly deletion: ErasureFigures | null;
  /** Kendall's τ-b with the losses when each section is deleted by itself. */
  readonly kendall: Figure | null;
  /** Spearman's ρ with the same. */
  readonly spearman: Figure | null;
  /**
   * Linear datamodelling score: Spearman's ρ of summed scores with the losses when random sets are suppressed together, or deleted
   * where `controls` is null.
   */
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
 * Measures an explanation from its request and response, and orders that ignore the model. Sections are suppressed and deleted; after
 * a method other than `attention` they are only deleted.
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
  { others = {}, draws = DEFAULT_DRAWS, sets = DEFAULT_SETS, seed = 1, ...options }: FaithfulnessOptions,
): Promise<Faithfulness> {
  const { sections, scores } = scoredSections(request, explanations);
  if (sections.length < MIN_SECTIONS)
    throw new RangeError(`expected at least ${MIN_SECTIONS} sections, got ${sections.length}`);
  const scalesAttention = isByAttention(request);
  if (scalesAttention && request.control_factor === 1)
    throw new RangeError('expected a factor that changes something, got 1');
  const given: Order[] = [
    { name: 'explanation', draws: [scores] },
    ...Object.entries(others).map(([name, list]) => ({ name, draws: [checked(list, sections.length)] })),
    ...controlOrders(sections, draws, seed),
  ];
  const hasDeletion = !scalesAttention || canDelete(request);
  const jointMethod: RemovalMethod = scalesAttention ? 'controls' : 'deletion';
  const methods: readonly RemovalMethod[] = scalesAttention && hasDeletion ? ['controls', 'deletion'] : [jointMethod];
  const [single, joint] = [singly(sections.length), jointly(sections.length, sets, seed)];
  const likelihoods = createLikelihoods(request, { sections, version }, options);
  const first = [...removalsOf(given, methods), ...joint.map((removal) => [jointMethod, removal] as const)];
  if (hasDeletion) first.push(...single.map((removal) => ['deletion', removal] as const));
  await likelihoods.ask(first, hasDeletion ? 2 * SHARES.length * methods.length : 0);
  const alone = hasDeletion ? single.map((removal) => likelihoods.loss('deletion', removal)) : [];
  const deletion: Order[] = hasDeletion ? [{ name: DELETION, draws: [alone] }] : [];
  await likelihoods.ask(removalsOf(deletion, methods), 0);
  return {
    sections: sections.length,
    logLikelihood: likelihoods.whole(),
    evaluations: likelihoods.evaluations(),
    orders: [...given, ...deletion].map((order) =>
      figuresOf(order, likelihoods, alone, { method: jointMethod, joint }),
    ),
  };
}

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

/** @param alone  loss of each section when it alone is deleted; empty if none can be @param joint  random sets */
function figuresOf(
  { name, draws }: Order,
  likelihoods: Likelihoods,
  alone: readonly number[],
  { method, joint }: { readonly method: RemovalMethod; readonly joint: readonly Removal[] },
): OrderFigures {
  const losses = joint.map((removal) => likelihoods.loss(method, removal));
  const isItself = name === DELETION || alone.length === 0; // the losses agree with themselves, which says nothing
  const ranked = (kind: 'kendall' | 'spearman') => (scores: readonly number[]) =>
    correlationFigure(kind, (kind === 'kendall' ? kendallTau : rankCorrelation)(scores, alone), alone.length);
  const summed = (scores: readonly number[]) => {
    const sums = joint.map((removal) => scores.reduce((sum, score, at) => sum + (removal[at] ? score : 0), 0));
    return correlationFigure('spearman', rankCorrelation(sums, losses), losses.length);
  };
  return {
    name,
    controls: method === 'controls' ? erasureFigures(draws, likelihoods, 'controls') : null,
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

/** Scores by which sections are ordered; several if an order is drawn. */
interface Order {
  readonly name: string;
  readonly draws: readonly (readonly number[])[];
}

/** Name of the order by the loss when each section is deleted by itself. */
const DELETION = 'deletion';

/** Orders that an explanation must beat: random ones, and those that ignore the model. */
function controlOrders(sections: readonly PlacedSection[], draws: number, seed: number): Order[] {
  const random = drawsFrom(seed);
  return [
    { name: 'random', draws: Array.from({ length: draws }, () => sections.map(() => random())) },
    { name: 'last first', draws: [sections.map((_, at) => at)] },
    { name: 'longest first', draws: [sections.map(sizeOf)] },
  ];
}

function sizeOf({ place }: PlacedSection): number {
  if (place.type === 'text') return place.length;
  return place.type === 'image' ? place.rect.width * place.rect.height : 1;
}

/** The first sections by score, for each share, and all others: at least one; of equal scores the earlier section. */
function erasureOf(scores: readonly number[]): { readonly first: Removal[]; readonly others: Removal[] } {
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const first = SHARES.map((share) => {
    const chosen = new Set(order.slice(0, Math.max(1, Math.round(share * scores.length))));
    return scores.map((_, at) => chosen.has(at));
  });
  return { first, others: first.map((removal) => removal.map((isGone) => !isGone)) };
}

function singly(count: number): Removal[] {
  return Array.from({ length: count }, (_, at) => Array.from({ length: count }, (__, other) => other === at));
}

/** Random sets that contain each section with a probability of one half. */
function jointly(count: number, sets: number, seed: number): Removal[] {
  const draw = drawsFrom(seed);
  return Array.from({ length: sets }, () => Array.from({ length: count }, () => draw() < 0.5));
}

/** Numbers in [0, 1), the same for the same seed. @source xorshift32, Marsaglia 2003 */
function drawsFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1; // never 0, which stays 0
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Whether each section is removed, in their order. */
type Removal = readonly boolean[];

type RemovalMethod = 'controls' | 'deletion';

/** Log-likelihoods of the target, nats, as they become known. */
type Likelihoods = ReturnType<typeof createLikelihoods>;

/** Requests likelihoods, one call at a time, `nice`. @param explained  `version`: name and version of the model */
function createLikelihoods(
  request: ExplainBody,
  explained: { readonly sections: readonly PlacedSection[]; readonly version: string },
  { client, signal, onProgress }: Pick<FaithfulnessOptions, 'client' | 'signal' | 'onProgress'>,
) {
  const { sections, version } = explained;
  const known = new Map<string, number>();
  const wholeKey = removalKey(
    'controls',
    sections.map(() => false),
  );
  const promptOf = (method: RemovalMethod, removal: Removal) => {
    const removed = sections.filter((_, at) => removal[at]);
    return (method === 'controls' ? suppressed : deleted)(request, removed);
  };
  const likelihoodOf = (key: string) => {
    const likelihood = known.get(key);
    if (likelihood === undefined) throw new RangeError('expected a removal that was asked for');
    return likelihood;
  };
  return {
    /** Of the prompt as it is. */
    whole: () => likelihoodOf(wholeKey),
    /** Loss of the target by a removal that was requested. @throws {RangeError} for another one */
    loss: (method: RemovalMethod, removal: Removal) =>
      likelihoodOf(wholeKey) - likelihoodOf(removalKey(method, removal)),
    evaluations: () => known.size,
    /**
     * Requests the likelihood with each removal that is not known yet.
     *
     * @param later  about how many more will be requested
     * @throws {MeasurementError} when the service refuses one
     * @throws {DOMException} AbortError
     */
    async ask(removals: readonly (readonly [RemovalMethod, Removal])[], later: number): Promise<void> {
      const wanted = new Map([[wholeKey, itemsOf(request.prompt)]]);
      for (const [method, removal] of removals) wanted.set(removalKey(method, removal), promptOf(method, removal));
      const missing = [...wanted].filter(([key]) => !known.has(key));
      const total = known.size + missing.length + later;
      for (const [key, prompt] of missing) {
        const { result, model_version: got } = await evaluated(request, prompt, client, signal);
        if (got !== version)
          throw new MeasurementError({ status: 0, code: OTHER_MODEL, message: `expected ${version}, got ${got}` });
        known.set(key, result.log_probability);
        onProgress?.(known.size, total);
      }
      if (later === 0) onProgress?.(known.size, known.size);
    },
  };
}

async function evaluated(
  { model, target, ...request }: ExplainBody,
  prompt: readonly PromptItem[],
  client: FaithfulnessOptions['client'],
  signal: AbortSignal | undefined,
): Promise<EvaluateResponse> {
  const body = { ...computationOf(request), model, prompt: [...prompt], completion_expected: target };
  const answer = await client.evaluate(body, { nice: true, ...(signal && { signal }) });
  if (!answer.ok) throw new MeasurementError(answer.problem);
  return answer.value;
}

function removalKey(method: RemovalMethod, removal: Removal): string {
  return `${method} ${removal.map(Number).join('')}`;
}
