import type { Client } from '../../../src/client/client.ts';
import { codePointMap } from '../../../src/contract/code-points.ts';
import type { ExplainBody, ExplanationItem, TextScore } from '../../../src/contract/explain.ts';
import type { Progress } from '../../../src/contract/progress.ts';
import type { Tokenizer } from '../../../workers/engine/loading/tokenizer.ts';
import { shuffled } from '../../../workers/kernels/seeded-random.ts';
import { valueOf } from '../../service.ts';
import { computedBy, type Costed, greatestOf, shareKnown } from './confirmed.ts';

/** Shares of the cost of exact scores. */
export const BUDGETS = [0.05, 0.1, 0.15, 0.25, 0.5, 'auto'] as const;
export type Budget = (typeof BUDGETS)[number];

/** The sections with the greatest effect. */
const TOP = 5;
const RANDOM_ORDERS = 20;

/** What one prompt shows of one budget, as shares. */
export interface Found {
  /** Of the five greatest, those that are exact. */
  readonly confirmed: number;
  /** The same for exact passes in the order of raw attention, and in random order, for as many positions. */
  readonly byAttention: number;
  readonly byChance: number;
  /** The same as `confirmed` when the budget's share of the time of exact scores has passed; null of `auto`. */
  readonly confirmedInTime: number | null;
  /** Positions over those of exact scores. */
  readonly spent: number;
  /** Time over that of exact scores. */
  readonly time: number;
  /** Until what is shown names the greatest section from then on, over the time of exact scores. */
  readonly topTime: number;
  /** Estimates within their margins; null without estimates. */
  readonly covered: number | null;
  /** Nats, the median of the prompt's; null without estimates. */
  readonly margin: number | null;
}

/** What one prompt shows. */
export interface Measured {
  readonly words: number;
  readonly exactMs: number;
  readonly found: Readonly<Record<string, Found>>;
}

/** What budgets are measured with. */
export interface MeasuredWith {
  readonly client: Client;
  readonly tokenizer: Pick<Tokenizer, 'tokenize' | 'prefix'>;
  /** Raw attention to the words. */
  readonly attention: (words: readonly TextScore[]) => Promise<number[]>;
}

/** Exact scores of a prompt of one text, and beside them what each budget finds. */
export async function measureBudgets(
  { client, tokenizer, attention }: MeasuredWith,
  body: ExplainBody & { readonly prompt: string },
): Promise<Measured> {
  const exact = await watched(client, body, 1);
  const scores = exact.item.scores.map(({ score }) => score);
  const costed = costsOf(tokenizer, body, exact.item.scores);
  const attended = await attention(exact.item.scores);
  const orders = {
    attention: [...attended.keys()].sort((a, b) => (attended[b] ?? 0) - (attended[a] ?? 0)),
    random: Array.from({ length: RANDOM_ORDERS }, (_, seed) => shuffled([...scores.keys()], seed + 1)),
  };
  const found: Record<string, Found> = {};
  for (const budget of BUDGETS) {
    const within = await watched(client, body, budget);
    found[budget] = foundOf(within, { exactMs: exact.ms, costed, orders, budget });
  }
  return { words: scores.length, exactMs: exact.ms, found };
}

type TextItem = Extract<ExplanationItem, { type: 'text' }>;

/** An explanation, and when each of its scores came. */
interface Watched {
  readonly ms: number;
  readonly item: TextItem;
  readonly spent: number;
  readonly told: readonly {
    readonly ms: number;
    readonly start: number;
    readonly score: number;
    readonly isExact: boolean;
  }[];
}

async function watched(client: Client, body: ExplainBody, budget: Budget | 1): Promise<Watched> {
  const told: Watched['told'][number][] = [];
  const startMs = performance.now();
  const onProgress = ({ partial = [] }: Progress) => {
    const item = partial[0]?.items[0];
    if (item?.type !== 'text') return;
    const ms = performance.now() - startMs;
    for (const [at, { start, score }] of item.scores.entries())
      told.push({ ms, start, score, isExact: (item.margins?.[at] ?? null) === null });
  };
  const answer = await valueOf(client.explain(body, { budget, onProgress }));
  const ms = performance.now() - startMs;
  const item = answer.explanations[0]?.items[0];
  if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
  return { ms, item, told, spent: answer.budget?.spent ?? 1 };
}

/** Positions that an exact pass computes for each word: from its first token to the end. */
function costsOf(
  { tokenize, prefix }: MeasuredWith['tokenizer'],
  { prompt, target }: { readonly prompt: string; readonly target: string },
  words: readonly TextScore[],
): Costed {
  const { ids, spans } = tokenize(prompt);
  const map = codePointMap(prompt);
  const ends = spans.map((span) => map.toCodePoints(span)).map(({ start, length }) => start + length);
  const unmodified = prefix.length + ids.length + tokenize(target).ids.length - 1;
  const costs = words.map(({ start }) => {
    const token = ends.findIndex((end) => end > start);
    return unmodified - prefix.length - Math.min(token < 0 ? ids.length : token, ids.length - 1);
  });
  return { costs, unmodified, scores: words.map(({ score }) => score) };
}

interface Beside {
  readonly exactMs: number;
  readonly costed: Costed;
  readonly orders: { readonly attention: readonly number[]; readonly random: readonly (readonly number[])[] };
  readonly budget: Budget;
}

function foundOf({ ms, item, told, spent }: Watched, { exactMs, costed, orders, budget }: Beside): Found {
  const top = greatestOf(costed.scores, TOP);
  const share = (order: readonly number[]) => {
    const computed = computedBy(order, costed, spent);
    return shareKnown(top, (section) => computed.has(section));
  };
  const margins = item.margins ?? item.scores.map(() => null);
  const estimates = margins.flatMap((margin, at) =>
    margin === null ? [] : [{ margin, error: Math.abs((item.scores[at]?.score ?? 0) - (costed.scores[at] ?? 0)) }],
  );
  const exactBy = (limitMs: number) =>
    new Set(told.filter((each) => each.isExact && each.ms <= limitMs).map(({ start }) => start));
  const inTime = budget === 'auto' ? null : exactBy(budget * exactMs);
  return {
    confirmed: shareKnown(top, (section) => margins[section] === null),
    byAttention: share(orders.attention),
    byChance: orders.random.reduce((sum, order) => sum + share(order), 0) / orders.random.length,
    confirmedInTime: inTime && shareKnown(top, (section) => inTime.has(item.scores[section]?.start ?? -1)),
    spent,
    time: ms / exactMs,
    topTime: topMs(told, item.scores[top[0] ?? 0]?.start ?? -1, { words: item.scores.length, ms }) / exactMs,
    covered:
      estimates.length > 0 ? estimates.filter(({ margin, error }) => error <= margin).length / estimates.length : null,
    margin: estimates.map(({ margin }) => margin).sort((a, b) => a - b)[Math.floor(estimates.length / 2)] ?? null,
  };
}

/** From when on a score is shown for every word, and the greatest of them stands at `start`; the end where that never is. */
function topMs(
  told: Watched['told'],
  start: number,
  { words, ms }: { readonly words: number; readonly ms: number },
): number {
  const shown = new Map<number, number>();
  let since: number | null = null;
  for (const [at, each] of told.entries()) {
    shown.set(each.start, Math.abs(each.score));
    if (told[at + 1]?.ms === each.ms || shown.size < words) continue;
    const isRight = [...shown.values()].every((size) => size <= (shown.get(start) ?? 0));
    since = isRight ? (since ?? each.ms) : null;
  }
  return since ?? ms;
}
