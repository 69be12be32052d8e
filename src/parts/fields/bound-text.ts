import { partsWords } from '../words.en.ts';
import { countText, numberText, type Plural } from '../../words/language.ts';

const BOUND = /expected a number (?<sign>[≥≤]) (?<limit>[\d.]+)/;

/**
 * A refusal of a number in the reader's words and units, such as `Time-out: at least 1 second.`; null for a refusal of another
 * kind.
 *
 * @param message  of the service: `timeoutMs: expected a number ≥ 1000, got 0`
 * @param unit     of the reader: its size in the units of the contract, and its noun
 */
export function boundText(
  label: string,
  message: string,
  unit?: { readonly size: number; readonly noun: () => Plural },
): string | null {
  const { sign, limit } = BOUND.exec(message)?.groups ?? {};
  if (sign === undefined || limit === undefined) return null;
  const amount = unit ? countText(Number(limit) / unit.size, unit.noun()) : numberText(Number(limit));
  const words = partsWords();
  return sign === '≥' ? words.atLeast(label, amount) : words.atMost(label, amount);
}
