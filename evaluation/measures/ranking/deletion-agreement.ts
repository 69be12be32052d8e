import type { Calibration } from '../../../src/contract/settings.ts';
import { NEUTRAL_NATS } from '../../../src/explanations/influence.ts';
import { misleads } from '../../../src/explanations/sinks.ts';
import type { Line } from '../../driver/records.mjs';
import { meanOf } from '../mean.ts';

/** One of the words with the greatest scores. */
export interface StrongWord {
  /** Its place among the words, from 0. */
  readonly at: number;
  readonly text: string;
  /** Nats. */
  readonly score: number;
  /** Log-likelihood that the target loses when the word is deleted, nats. */
  readonly loss: number;
  /** That which each later token of the prompt loses when the word is dimmed, nats; absent where the word can be no sink. */
  readonly lossAfter?: number | null;
}

/** Scores of the words of a prompt beside what deletion says of them. */
export interface Judged {
  readonly set: string;
  /** Place of the word whose deletion costs most. */
  readonly best: number;
  /** By how attention is scaled. */
  readonly found: Readonly<
    Record<
      string,
      {
        /** Rank correlation of scores and losses; null where it is not defined. */
        readonly correlation: number | null;
        /** The greatest score first. */
        readonly strongest: readonly StrongWord[];
      }
    >
  >;
}

/** Key of the record that holds the model's calibration. */
export const CALIBRATION = 'calibration';

/**
 * Tables of the records of one model, a row for each setting, in Markdown.
 *
 * @throws {RangeError} without records
 */
export function agreementTables(lines: readonly Line[]): string {
  // Written by `pages/sinks.measure.ts`.
  const calibration = lines.find(({ key }) => key === CALIBRATION)?.value as Calibration | undefined;
  const judged = lines.filter(({ key }) => key !== CALIBRATION).map(({ value }) => value as Judged);
  const sets = [...new Set(judged.map(({ set }) => set))];
  if (sets.length === 0) throw new RangeError('expected at least one record, got none');
  const factor = calibration ? `The calibration chooses factor ${calibration.factor}.\n\n` : '';
  return factor + sets.map((set) => tableOf(judged.filter((each) => each.set === set))).join('\n\n');
}

function tableOf(judged: readonly Judged[]): string {
  const [first] = judged;
  const rows = Object.keys(first?.found ?? {}).map((setting) => [setting, figuresOf(judged, setting)] as const);
  const title = `${first?.set}, ${judged.length} prompts`;
  const names = Object.keys(rows[0]?.[1] ?? {});
  const lines = [
    [title, ...names],
    [title, ...names].map(() => '---'),
    ...rows.map(([setting, figures]) => [setting, ...names.map((name) => figures[name] ?? '')]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function figuresOf(judged: readonly Judged[], setting: string): Readonly<Record<string, string>> {
  const tops = judged.flatMap(({ best, found }) => {
    const strongest = found[setting]?.strongest ?? [];
    const [top] = strongest;
    return top ? [{ best, top: top.at, named: namedOf(strongest)?.at ?? null }] : [];
  });
  const correlations = judged.flatMap(({ found }) => found[setting]?.correlation ?? []);
  const { value, error } = meanOf(correlations);
  const first = tops.filter(({ best }) => best === 0);
  return {
    'rank correlation': `${value.toFixed(3)} ± ${error.toFixed(3)}`,
    'top word as by deletion': share(tops.map(({ top, best }) => top === best)),
    'first word wrongly on top': share(tops.map(({ top, best }) => top === 0 && best !== 0)),
    'named word as by deletion': share(tops.map(({ named, best }) => named === best)),
    'first word wrongly named': share(tops.map(({ named, best }) => named === 0 && best !== 0)),
    'named where deletion ranks it first': `${first.filter(({ named }) => named === 0).length} of ${first.length}`,
  };
}

/** The word that the page names: the first that is no sink, the last one where all are; null where its score is noise. */
function namedOf(strongest: readonly StrongWord[]): StrongWord | null {
  const [top, ...others] = strongest;
  if (!top) throw new RangeError('expected at least one word, got none');
  const { loss, lossAfter } = top;
  const isSink = lossAfter !== undefined && misleads({ loss, lossAfter }, top.score, top.at === 0);
  if (isSink && others.length > 0) return namedOf(others);
  return Math.abs(top.score) < NEUTRAL_NATS ? null : top;
}

function share(cases: readonly boolean[]): string {
  return `${cases.filter(Boolean).length} of ${cases.length}`;
}
