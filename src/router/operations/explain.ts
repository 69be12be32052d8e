import { codePointMap } from '../../contract/code-points.ts';
import type {
  ExplainMethod,
  ExplainRequest,
  ExplainResponse,
  Explanation,
  ExplanationItem,
  PartialExplanation,
  PartialItem,
  Postprocessing,
} from '../../contract/explain.ts';
import type { PromptItem } from '../../contract/prompt.ts';
import { FailureError } from '../../contract/failure.ts';
import { shown } from '../../contract/shown.ts';
import type { Model } from '../../models/model.ts';
import type {
  ExplainedPlan,
  ExplainedSection,
  ExplainJob,
  ExplainOutput,
  ExplainPart,
  SectionGranularity,
} from '../../protocol/jobs.ts';
import type { Pause } from '../../contract/pause.ts';
import { OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import { type InputTools, operation } from '../operation.ts';
import { itemsOfPrompt, jobPrompt } from '../request/prompt.ts';
import { invalid, nonEmptyText, wellFormed } from '../request/text.ts';

interface Scored {
  readonly section: ExplainedSection;
  readonly score: number;
  /** How far an estimate may be off, nats; null: the score is exact. */
  readonly margin: number | null;
}

/** `complete` sums over the target's tokens, after postprocessing. @source contract facts §1.5 */
export async function explanationsOf(
  explained: ExplainOutput,
  request: ExplainRequest,
  pause: Pause,
): Promise<Explanation[]> {
  const writers = itemWriters(request).map(({ whole }) => whole);
  const part: ExplainPart = { ...explained, plan: explained, sections: [...explained.sections.keys()] };
  const explanations: Explanation[] = [];
  for (const column of columnsOf(explained, request)) {
    const scored = normalised(scoredIn(column, part, request), request);
    explanations.push({ target: column.target, items: itemsOf(scored, writers, explained.estimated !== null) });
    await pause();
  }
  return explanations;
}

/** The scores since the last progress, never normalised: least and greatest are not known yet. */
export function partialExplanationsOf(explained: ExplainPart, request: ExplainRequest): PartialExplanation[] {
  const writers = itemWriters(request).map(({ part }) => part);
  return columnsOf(explained.plan, request).map((column) => ({
    target: column.target,
    items: itemsOf(scoredIn(column, explained, request), writers, explained.estimated !== null),
  }));
}

/** Target compared with foil, section by section of the prompt. Both are sums over their tokens. */
export function contrastOf(
  explained: ExplainOutput,
  request: ExplainRequest,
  foil: string,
): NonNullable<ExplainResponse['contrast']> {
  const { targetTokens, foilTokens, influence } = explained;
  const writers = itemWriters(request).map(({ whole }) => whole);
  const width = targetTokens.length + foilTokens.length;
  const processed = POSTPROCESSING[request.postprocessing];
  const itemsBy = (score: (target: Float64Array, foil: Float64Array) => number) => {
    const scored = explained.sections.flatMap((section, index): Scored[] => {
      if (section.item === writers.length - 1) return []; // sections of the target have no influence on the foil
      const row = influence.subarray(index * width, (index + 1) * width);
      const [ofTarget, ofFoil] = [row.subarray(0, targetTokens.length), row.subarray(targetTokens.length)];
      return [{ section, margin: null, score: score(ofTarget, ofFoil) }];
    });
    return itemsOf(normalised(scored, request), writers, false);
  };
  return {
    foil,
    items: itemsBy((ofTarget, ofFoil) => processed(sum(ofTarget) - sum(ofFoil))),
    foil_items: itemsBy((_, ofFoil) => sum(ofFoil.map(processed))),
  };
}

function sum(scores: Float64Array): number {
  return scores.reduce((total, score) => total + score, 0);
}

/** One explanation: the whole target, or one of its tokens. */
interface Column {
  readonly target: string;
  /** Indices of the target tokens that it sums over. */
  readonly tokens: readonly number[];
}

function columnsOf({ targetTokens }: ExplainedPlan, { target, target_granularity: granularity }: ExplainRequest) {
  if (granularity === 'complete') return [{ target, tokens: [...targetTokens.keys()] }];
  return targetTokens.map((text, token): Column => ({ target: text, tokens: [token] }));
}

/** Changes each difference. @source interface.md, `postprocessing` */
const POSTPROCESSING: Readonly<Record<Postprocessing, (difference: number) => number>> = {
  none: (difference) => difference,
  absolute: Math.abs,
  square: (difference) => difference * difference,
};

/** Sections of the target at or after an explained token have no influence on it, and are left out. */
function scoredIn({ tokens }: Column, explained: ExplainPart, request: ExplainRequest): Scored[] {
  const { plan, sections, influence } = explained;
  const margins = marginsIn(explained, tokens, request);
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const targetItem = itemsOfPrompt(request.prompt).length;
  const processed = POSTPROCESSING[request.postprocessing];
  return sections.flatMap((index, row) => {
    const section = plan.sections[index];
    if (!section) throw new RangeError(`expected a section below ${plan.sections.length}, got ${index}`);
    if (section.item === targetItem && (section.index ?? 0) >= (tokens[0] ?? 0)) return [];
    const score = tokens.reduce((total, token) => total + processed(influence[row * width + token] ?? 0), 0);
    const margin = margins.get(index) ?? null;
    const isSquared = margin !== null && request.postprocessing === 'square'; // (s ± m)² is s² ± (2|s|m + m²) at most
    return [{ section, score, margin: isSquared ? margin * (2 * Math.sqrt(score) + margin) : margin }];
  });
}

/** Margins of estimated sections for the whole target, or for one of its tokens. */
function marginsIn(
  { estimated, plan }: ExplainPart,
  [first = 0]: readonly number[],
  { target_granularity: granularity }: ExplainRequest,
): Map<number, number> {
  if (!estimated) return new Map();
  const { whole, tokens } = estimated.margins;
  const marginAt = (at: number) =>
    granularity === 'complete' ? whole[at] : tokens[at * plan.targetTokens.length + first];
  return new Map(estimated.sections.map((section, at) => [section, marginAt(at) ?? Number.NaN]));
}

/**
 * Scores of one list, where the request wants that scaled so that the least is 0 and the greatest 1; all 0 where none differ.
 *
 * @source interface.md, `normalize` (the recorded service used tanh instead; interface.md wins)
 */
function normalised(scored: readonly Scored[], { normalize }: ExplainRequest): readonly Scored[] {
  if (!normalize) return scored;
  const least = scored.reduce((a, { score }) => Math.min(a, score), Infinity);
  const range = scored.reduce((a, { score }) => Math.max(a, score), -Infinity) - least;
  return scored.map(({ section, score, margin }) => ({
    section,
    score: range > 0 ? (score - least) / range : 0,
    margin: margin !== null && range > 0 ? margin / range : margin,
  }));
}

function itemsOf<Item extends ExplanationItem | PartialItem>(
  scored: readonly Scored[],
  writers: readonly ((scored: readonly Scored[]) => Item)[],
  hasMargins: boolean,
): Item[] {
  return writers.map((write, item) => {
    const own = scored.filter(({ section }) => section.item === item);
    return hasMargins ? { ...write(own), margins: own.map(({ margin }) => margin) } : write(own);
  });
}

interface ItemWriter {
  whole(scored: readonly Scored[]): ExplanationItem;
  part(scored: readonly Scored[]): PartialItem;
}

/** One for each item of the prompt, then one for the target. */
function itemWriters(request: ExplainRequest): ItemWriter[] {
  return [...itemsOfPrompt(request.prompt).map(itemWriter), textWriter('target', request.target)];
}

function itemWriter(item: PromptItem): ItemWriter {
  if (item.type === 'text') return textWriter('text', item.data);
  if (item.type === 'image') return { whole: imageItem, part: imageItem };
  return {
    whole: (scored) => ({ type: 'token_ids', scores: scored.map(({ score }) => score) }),
    part: (scored) => ({
      type: 'token_ids',
      scores: scored.map(({ section, score }) => ({ index: section.index ?? 0, score })),
    }),
  };
}

function textWriter(type: 'text' | 'target', text: string): ItemWriter {
  const map = codePointMap(text);
  const write = (scored: readonly Scored[]) => ({
    type,
    scores: scored.flatMap(({ section: { span }, score }) => (span ? [{ ...map.toCodePoints(span), score }] : [])),
  });
  return { whole: write, part: write };
}

function imageItem(scored: readonly Scored[]) {
  const scores = scored.flatMap(({ section: { rect }, score }) => (rect ? [{ rect: { ...rect }, score }] : []));
  return { type: 'image' as const, scores };
}

/** `POST /explain`. */
export const explainOperation = operation({
  ...OPERATION_DOCS.explain,
  kind: 'explain',
  use: 'explain',
  input: async (body, tools) => ({
    ...body,
    ...methodAndBudget(body, tools),
    max_requests: body.max_requests ?? null,
    explained_items: explainedItems(body),
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    target: nonEmptyText(body.target, 'target'),
    foil: optionalText(body, 'foil'),
    replacement: optionalText(body, 'replacement'),
    prompt_granularity: granularityOf(body),
  }),
  output: async (explained, { body, version, pause }) => ({
    model_version: version,
    explanations: await explanationsOf(explained, body, pause),
    contrast: typeof body.foil === 'string' ? contrastOf(explained, body, body.foil) : undefined,
    margins_from: explained.estimated
      ? explained.estimated.margins.isCalibrated
        ? ('model' as const)
        : ('prompt' as const)
      : undefined,
    budget: explained.budget ?? undefined,
    requests: explained.requests ?? undefined,
    tokens: explained.tokens,
  }),
  progress: ({ explained }, body) => explained && { partial: partialExplanationsOf(explained, body) },
});

function optionalText(body: ExplainRequest, field: 'foil' | 'replacement'): string | null {
  const text = body[field];
  return typeof text === 'string' ? nonEmptyText(text, field) : null;
}

function granularityOf({ prompt_granularity: wanted = null }: ExplainRequest): SectionGranularity | null {
  if (wanted?.type !== 'custom') return wanted && { type: wanted.type };
  if (wanted.delimiter)
    return { type: 'custom', delimiter: wellFormed(wanted.delimiter, 'prompt_granularity.delimiter') };
  const got = JSON.stringify(wanted.delimiter ?? null);
  throw invalid('prompt_granularity.delimiter', 'a non-empty string with type "custom"', got);
}

/** @throws {FailureError} INVALID_REQUEST or PAYLOAD_ERROR */
function methodAndBudget(body: ExplainRequest, { query, model }: InputTools): Pick<ExplainJob, 'method' | 'budget'> {
  const [method, budget] = [methodOf(body, model), jobBudget(query, body)];
  if (method !== 'attention' && budget !== 1)
    throw invalid('budget', `none with the method "${method}", which takes "max_requests"`, shown(query.get('budget')));
  return { method, budget };
}

/**
 * The method, checked against fields that it does not support: nothing of a picture can be deleted, only text can be replaced, and
 * afterwards controls would lose their places.
 *
 * @throws {FailureError} INVALID_REQUEST
 */
function methodOf(body: ExplainRequest, { upstream }: Model): ExplainMethod {
  const method = body.method ?? (upstream === undefined ? 'attention' : 'deletion');
  if (upstream !== undefined) checkForUpstream(body, upstream);
  const refuse = (path: string, got: string) => invalid(path, `none with the method "${method}"`, got);
  const isAttention = method === 'attention';
  const others = isAttention
    ? (['max_requests', 'replacement'] as const)
    : (['foil', 'contextual_control_threshold'] as const);
  const other = others.find((field) => (body[field] ?? null) !== null);
  if (other) throw refuse(other, shown(body[other]));
  if (isAttention) return method;
  const isReplaced = typeof body.replacement === 'string';
  for (const [at, { type, controls }] of itemsOfPrompt(body.prompt).entries()) {
    const expected = `${isReplaced ? 'text with a replacement and' : 'text or token ids with'} the method "${method}"`;
    if (isReplaced ? type !== 'text' : type === 'image') throw invalid(`prompt[${at}]`, expected, shown(type));
    if (controls?.length) throw refuse(`prompt[${at}].controls`, 'some');
  }
  return method;
}

/** A server tells the likelihood of texts alone, and no tokens. @throws {FailureError} INVALID_REQUEST */
function checkForUpstream(body: ExplainRequest, address: string): void {
  const at = `for a model at ${address}`;
  if (body.method === 'attention') throw invalid('method', `one that removes sections ${at}`, '"attention"');
  if (body.prompt_granularity?.type === 'token')
    throw invalid('prompt_granularity.type', `another one ${at}`, '"token"');
}

/** @throws {FailureError} INVALID_REQUEST for an item that the prompt does not have */
function explainedItems({ explained_items: items = null, prompt }: ExplainRequest): readonly number[] | null {
  const { length } = itemsOfPrompt(prompt);
  const wrong = items?.findIndex((item) => item >= length) ?? -1;
  if (wrong >= 0) throw invalid(`explained_items[${wrong}]`, `an index below ${length}`, `${items?.[wrong]}`);
  return items;
}

/**
 * The query parameter `budget`, Lightwell's own: the share of the cost of exact scores that an explanation may spend, or
 * `auto`. Left out: 1, as in the contract.
 *
 * @throws {FailureError} PAYLOAD_ERROR for another value; INVALID_REQUEST with fields that estimates do not support
 */
export function jobBudget(query: URLSearchParams, body: ExplainRequest): ExplainJob['budget'] {
  const text = query.get('budget');
  if (text === null) return 1;
  const budget = text === 'auto' ? text : Number(text);
  if (budget !== 'auto' && !(text.trim() !== '' && budget > 0 && budget <= 1))
    throw new FailureError(
      'PAYLOAD_ERROR',
      `budget: expected "auto" or a number above 0 and at most 1, got ${shown(text)}`,
    );
  if (budget === 1) return 1;
  if (typeof body.foil === 'string' || body.normalize || body.postprocessing !== 'none')
    throw invalid('budget', '1 with "foil", "normalize" and "postprocessing"', text);
  return budget;
}
