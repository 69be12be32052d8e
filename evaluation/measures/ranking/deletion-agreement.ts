import { rankCorrelation } from '../../../src/client/faithfulness/measures.ts';
import { meanOf } from '../mean.ts';

/** Scores of the words of a prompt, and what deletion says of them. */
export interface Judged {
  readonly scores: readonly number[];
  /** Log-likelihood that the target loses when the word is deleted, nats. */
  readonly losses: readonly number[];
  /** The word that is named as the main reason; null where that is the one with the greatest score. */
  readonly named: number | null;
}

/** A row for each setting. */
export function tableOf(title: string, judged: Readonly<Record<string, readonly Judged[]>>): string {
  const rows = Object.entries(judged).map(([setting, each]) => [setting, figuresOf(each)] as const);
  const names = Object.keys(rows[0]?.[1] ?? {});
  const lines = [
    [title, ...names],
    [title, ...names].map(() => '---'),
    ...rows.map(([setting, figures]) => [setting, ...names.map((name) => figures[name] ?? '')]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function figuresOf(judged: readonly Judged[]): Readonly<Record<string, string>> {
  const correlations = judged.map(({ scores, losses }) => rankCorrelation(scores, losses)).filter(Number.isFinite);
  const tops = judged.map(({ scores, losses, named }) => ({
    score: topOf(scores),
    named: named ?? topOf(scores),
    loss: topOf(losses),
  }));
  const first = tops.filter(({ loss }) => loss === 0);
  const firstOnTop = judged.filter(({ scores }) => topOf(scores) === 0);
  const shares = {
    'same top word': share(tops.map(({ score, loss }) => score === loss)),
    'first word wrongly on top': share(tops.map(({ score, loss }) => score === 0 && loss !== 0)),
    'wrongly named': share(tops.map(({ named, loss }) => named === 0 && loss !== 0)),
    'named where deletion ranks it first': `${first.filter(({ named }) => named === 0).length} of ${first.length}`,
    'loss ÷ score of the first word on top: wrongly': lossShares(
      firstOnTop.filter(({ losses }) => topOf(losses) !== 0),
    ),
    rightly: lossShares(firstOnTop.filter(({ losses }) => topOf(losses) === 0)),
  };
  const { value, error } = meanOf(correlations);
  return { 'rank correlation': `${value.toFixed(3)} ± ${error.toFixed(3)}`, ...shares };
}

/** The share of its score that the target loses when the first word is deleted, of each prompt, in ascending order. */
function lossShares(judged: readonly Judged[]): string {
  const shares = judged.map(({ scores: [score = NaN], losses: [loss = NaN] }) => (loss / score).toFixed(2));
  return shares.sort((a, b) => Number(a) - Number(b)).join(', ');
}

function topOf(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

function share(cases: readonly boolean[]): string {
  return `${((100 * cases.filter(Boolean).length) / cases.length).toFixed(0)} %`;
}
