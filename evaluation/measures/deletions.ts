import type { Row } from '../evaluation.ts';
import { meanOf } from './mean.ts';
import { correlationOf } from './ranking/correlation.ts';

/** One prompt's sections under one setting, all of one length. */
export interface Deletion {
  readonly scores: readonly number[];
  /** Log-likelihood that the target loses without the section, nats. */
  readonly losses: readonly number[];
  /** 1 for the sections that say the answer, else 0; null where no single one does. */
  readonly labels: readonly number[] | null;
}

/** Collects what was measured, by setting. */
export interface Deletions {
  add(setting: string, deletion: Deletion): void;
  /** @param of what the sections are, such as `sentences of passages` */
  rows(of: string): Row[];
}

/** Nothing yet. */
export function createDeletions(settings: readonly string[]): Deletions {
  const found = new Map<string, Deletion[]>(settings.map((setting) => [setting, []]));
  return {
    add: (setting, deletion) => found.get(setting)?.push(deletion),
    rows: (of) => [...found].flatMap(([setting, all]) => rowsOf(`${of}, ${setting}`, all)),
  };
}

/** Fewer sections in a prompt make no correlation. */
const MIN_SECTIONS = 3;
/** Scores and losses below this are called neither positive nor negative: as the page does, nats. */
const NEUTRAL = 0.1;

function rowsOf(what: string, all: readonly Deletion[]): Row[] {
  const pairs = all.map(pairsOf);
  const together = pairs.flat();
  const within = pairs.filter(({ length }) => length >= MIN_SECTIONS).flatMap((own) => correlationOf(own) ?? []);
  const answered = all.flatMap(({ scores, labels }) => (labels ? [{ scores, labels }] : []));
  const signed = together.filter((pair) => pair.every((value) => Math.abs(value) >= NEUTRAL));
  const mean = (name: string, values: readonly number[], baselines: Row['baselines'] = {}): Row[] =>
    values.length === 0 ? [] : [{ what: `${what}: ${name}`, model: meanOf(values), baselines, items: values.length }];
  const whole = correlationOf(together);
  const highest = answered.map(({ scores, labels }) => Number(isHighest(scores, labels)));
  const chances = answered.map(({ labels }) => labels.reduce((sum, one) => sum + one, 0) / labels.length);
  return [
    ...(whole === null ? [] : [{ what: `${what}: correlation`, model: whole, baselines: {}, items: together.length }]),
    ...mean('correlation within a prompt', within),
    ...mean('the answer’s is highest', highest, answered.length > 0 ? { chance: meanOf(chances) } : {}),
    ...mean(
      'the other sign',
      signed.map(([score, loss]) => Number(score > 0 !== loss > 0)),
    ),
  ];
}

function pairsOf({ scores, losses }: Deletion): (readonly [score: number, loss: number])[] {
  return scores.map((score, section) => [score, losses[section] ?? 0] as const);
}

/** Whether a section with the label has the greatest score. */
function isHighest(scores: readonly number[], labels: readonly number[]): boolean {
  return labels[scores.indexOf(Math.max(...scores))] === 1;
}
