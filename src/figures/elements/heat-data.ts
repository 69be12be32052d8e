import { codePointMap } from '../../contract/code-points.ts';
import type { TextScore } from '../../contract/explain.ts';
import { isRecord } from '../../contract/records.ts';
import { shown } from '../../contract/shown.ts';
import { type Influence, influenceOf } from '../../explanations/influence.ts';

/** What a heat map shows. */
export interface HeatData {
  readonly text: string;
  /** The picture before the text, and what it is for those who do not see it. */
  readonly picture?: { readonly url: string; readonly alt: string } | null;
  /** Scores of its sections. `target`: of what the text has no place for; the line of numbers shows them too. */
  readonly influence: Pick<Influence, 'picture' | 'prompt'> & Partial<Pick<Influence, 'target' | 'targets'>>;
}

/** What scores are: nats, or another tool's, which are drawn as shares of the largest. */
export type ScoreUnit = 'nats' | 'share';

/**
 * The heat map of scores from anywhere.
 *
 * @param targets  names of the lists; default: their numbers
 * @param unit     `share`: each score is divided by the size of the largest one of all lists
 * @throws {RangeError} with the place, the expectation and the value
 */
export function heatDataOf(
  text: string,
  scores: unknown,
  targets: readonly string[] = [],
  unit: ScoreUnit = 'nats',
): HeatData {
  if (typeof text !== 'string') throw new RangeError(`text: expected a text, got ${shown(text)}`);
  if (!Array.isArray(scores)) throw new RangeError(`scores: expected a list, got ${shown(scores)}`);
  const end = codePointMap(text).length;
  const isOfMany = Array.isArray(scores[0]);
  const lists = isOfMany ? scores : [scores];
  const read = lists.map((list: unknown, at) => scoresOf(list, isOfMany ? `scores[${at}]` : 'scores', end));
  const explanations = (unit === 'share' ? shares(read) : read).map((list, at) => ({
    target: targets[at] ?? String(at + 1),
    items: [{ type: 'text' as const, scores: list }],
  }));
  // No common text: otherwise tokens of one word would be one target.
  const influence = influenceOf(explanations, { prompt: text, target: '', isStrengthened: false });
  return { text, influence };
}

function shares(lists: readonly (readonly TextScore[])[]): TextScore[][] {
  const largest = lists.flat().reduce((most, { score }) => Math.max(most, Math.abs(score)), 0);
  return lists.map((list) => list.map((one) => ({ ...one, score: largest > 0 ? one.score / largest : 0 })));
}

function scoresOf(list: unknown, name: string, end: number): TextScore[] {
  if (!Array.isArray(list)) throw new RangeError(`${name}: expected a list, got ${shown(list)}`);
  return list.map((item: unknown, at) => {
    const place = `${name}[${at}]`;
    if (!isRecord(item)) throw new RangeError(`${place}: expected { start, length, score }, got ${shown(item)}`);
    const start = integer(item['start'], `${place}.start`, 0, end);
    const length = integer(item['length'], `${place}.length`, 0, end - start);
    const { score } = item;
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw new RangeError(`${place}.score: expected a finite number, got ${shown(score)}`);
    return { start, length, score };
  });
}

function integer(value: unknown, place: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`${place}: expected an integer from ${least} to ${most}, got ${shown(value)}`);
}
