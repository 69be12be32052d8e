/** How a number of the contract is shown: `1000` of milliseconds as `1 second`. */
export interface Unit {
  /** The contract's units in one of the reader's. */
  readonly size: number;
  readonly one: string;
  readonly many: string;
}

/** Milliseconds, to a reader. */
export const SECONDS: Unit = { size: 1000, one: 'second', many: 'seconds' };

const BOUND = /expected a number (?<sign>[≥≤]) (?<limit>[\d.]+)/;

/**
 * A refusal of a number in the reader's words and units, such as `Time-out: at least 1 second.`; null for a refusal of another
 * kind.
 *
 * @param message  of the service: `timeoutMs: expected a number ≥ 1000, got 0`
 */
export function boundText(label: string, message: string, unit?: Unit): string | null {
  const { sign, limit } = BOUND.exec(message)?.groups ?? {};
  if (sign === undefined || limit === undefined) return null;
  const number = Number(limit) / (unit?.size ?? 1);
  const amount = number.toLocaleString('en') + (unit ? ` ${number === 1 ? unit.one : unit.many}` : '');
  return `${label}: at ${sign === '≥' ? 'least' : 'most'} ${amount}.`;
}
