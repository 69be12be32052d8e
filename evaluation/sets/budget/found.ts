import { bytesToHex } from '@noble/hashes/utils.js';
import type { Client } from '../../../src/client/client.ts';
import type { ExplainBody, ExplanationItem, PartialItem } from '../../../src/contract/explain.ts';
import type { Progress } from '../../../src/contract/progress.ts';
import { shuffled } from '../../../workers/kernels/seeded-random.ts';
import { computedBy, type Costed, greatestOf, shareKnown } from '../../measures/ranking/confirmed.ts';
import { valueOf } from '../../value-of.ts';

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
  /** The same for exact passes in random order, and in that of raw attention where it is known, for as many positions. */
  readonly byChance: number;
  readonly byAttention: number | null;
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
  /** Name of its range of lengths, if lengths are distinguished. */
  readonly length?: string;
  /** Of the prompt with its target, where it is a text. */
  readonly tokens?: number;
  readonly sections: number;
  /** Processors that the browser may use: WebAssembly has as many threads, up to four. */
  readonly cores: number;
  readonly exactMs: number;
  readonly found: Readonly<Record<string, Found>>;
}

/** What is known of sections beside their scores. */
export interface Known {
  /** Positions that an exact pass computes for each section, and the unmodified pass. */
  readonly costs: readonly number[];
  readonly unmodified: number;
  /** Raw attention to each, where it is known. */
  readonly attention?: readonly number[];
}

/** Of an item's record: its number, and the beginning of a digest that tells whether it is the same item still. */
export async function keyOf(index: number, text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `${index + 1} ${bytesToHex(digest.subarray(0, 4))}`;
}

/** Exact scores of a prompt, and beside them what each budget finds. */
export async function measureBudgets(
  client: Client,
  body: ExplainBody,
  known: (items: readonly ExplanationItem[]) => Promise<Known>,
): Promise<Measured> {
  const exact = await watched(client, body, 1);
  const { attention, ...costs } = await known(exact.items);
  const costed = { ...costs, scores: exact.sections.map(({ score }) => score) };
  const byAttention = attention && [...attention.keys()].sort((a, b) => (attention[b] ?? 0) - (attention[a] ?? 0));
  const found: Record<string, Found> = {};
  for (const budget of BUDGETS) {
    const within = await watched(client, body, budget);
    found[budget] = foundOf(within, { exactMs: exact.ms, costed, byAttention, budget });
  }
  return { sections: exact.sections.length, cores: navigator.hardwareConcurrency, exactMs: exact.ms, found };
}

/** A section as it was told. */
interface Told {
  /** The same whenever the section is told. */
  readonly key: string;
  readonly score: number;
  readonly margin: number | null;
}

/** An explanation, and when each of its scores came. */
interface Watched {
  readonly ms: number;
  readonly spent: number;
  readonly items: readonly ExplanationItem[];
  readonly sections: readonly Told[];
  readonly told: readonly (Told & { readonly ms: number })[];
}

async function watched(client: Client, body: ExplainBody, budget: Budget | 1): Promise<Watched> {
  const told: Watched['told'][number][] = [];
  const startMs = performance.now();
  const onProgress = ({ partial = [] }: Progress) => {
    const ms = performance.now() - startMs;
    told.push(...toldIn(partial[0]?.items ?? []).map((each) => ({ ...each, ms })));
  };
  const answer = await valueOf(client.explain(body, { budget, onProgress }));
  const ms = performance.now() - startMs;
  const items = answer.explanations[0]?.items ?? [];
  return { ms, items, sections: toldIn(items), told, spent: answer.budget?.spent ?? 1 };
}

/** Sections of texts and pictures, in order. */
function toldIn(items: readonly (ExplanationItem | PartialItem)[]): Told[] {
  return items.flatMap((item, index) => {
    if (item.type !== 'text' && item.type !== 'image') return [];
    return item.scores.map((each, at): Told => {
      const place = 'rect' in each ? `${each.rect.left} ${each.rect.top}` : each.start;
      return { key: `${index}: ${place}`, score: each.score, margin: item.margins?.[at] ?? null };
    });
  });
}

interface Beside {
  readonly exactMs: number;
  readonly costed: Costed;
  readonly byAttention: readonly number[] | undefined;
  readonly budget: Budget;
}

function foundOf({ ms, sections, told, spent }: Watched, { exactMs, costed, byAttention, budget }: Beside): Found {
  const top = greatestOf(costed.scores, TOP);
  const shareBy = (order: readonly number[]) => {
    const computed = computedBy(order, costed, spent);
    return shareKnown(top, (section) => computed.has(section));
  };
  const byChance = Array.from({ length: RANDOM_ORDERS }, (_, seed) =>
    shareBy(shuffled([...sections.keys()], seed + 1)),
  );
  const estimates = sections.flatMap(({ score, margin }, at) =>
    margin === null ? [] : [{ margin, error: Math.abs(score - (costed.scores[at] ?? 0)) }],
  );
  const covered = estimates.filter(({ margin, error }) => error <= margin);
  const exactBy = (limitMs: number) =>
    new Set(told.flatMap((each) => (each.margin === null && each.ms <= limitMs ? [each.key] : [])));
  const inTime = budget === 'auto' ? null : exactBy(budget * exactMs);
  const keyOf = (section: number) => sections[section]?.key ?? '';
  return {
    spent,
    time: ms / exactMs,
    confirmed: shareKnown(top, (section) => sections[section]?.margin === null),
    byChance: byChance.reduce((sum, share) => sum + share, 0) / byChance.length,
    byAttention: byAttention ? shareBy(byAttention) : null,
    confirmedInTime: inTime && shareKnown(top, (section) => inTime.has(keyOf(section))),
    topTime: topMs(told, keyOf(top[0] ?? 0), { count: sections.length, ms }) / exactMs,
    covered: estimates.length > 0 ? covered.length / estimates.length : null,
    margin: estimates.map(({ margin }) => margin).sort((a, b) => a - b)[Math.floor(estimates.length / 2)] ?? null,
  };
}

/** From when on a score is shown for every section and this one is the greatest; the end where that never is. */
function topMs(
  told: Watched['told'],
  key: string,
  { count, ms }: { readonly count: number; readonly ms: number },
): number {
  const shown = new Map<string, number>();
  let since: number | null = null;
  for (const [at, each] of told.entries()) {
    shown.set(each.key, Math.abs(each.score));
    if (told[at + 1]?.ms === each.ms || shown.size < count) continue;
    const own = shown.get(key) ?? 0;
    since = [...shown.values()].every((size) => size <= own) ? (since ?? each.ms) : null;
  }
  return since ?? ms;
}
