import { STATUS } from '../../../src/contract/failure.ts';
import type { Described } from '../../conformance/rows/described.ts';
import type { Asked, Ended } from './faults.ts';

/** What came of a request: `right`, an error such as `503 DEVICE_LOST`, or what must never be, in brackets. */
export type Outcome = string;

export const RIGHT: Outcome = 'right';

/** @returns whether this must never be, whatever failed */
export function isProblem(outcome: Outcome): boolean {
  return outcome.startsWith('[');
}

/** Judges answers to one request by its right answer and by the service's description. */
export function createJudge(asked: Asked, right: unknown, described: Described): (ended: Ended) => Outcome {
  return (ended) => {
    if (ended.kind === 'hung') return '[hangs]';
    if (ended.kind === 'rejected') return `[rejects: ${ended.reason}]`;
    try {
      described.check({ method: 'POST', path: asked.path, body: asked.body }, ended);
    } catch (error) {
      return `[undocumented: ${error instanceof Error ? error.message : String(error)}]`;
    }
    const { status, value } = lastOf(ended);
    if (status === 200) return isClose(value, right) ? RIGHT : '[wrong answer]';
    const code = isRecord(value) ? String(value['code']) : '';
    return code in STATUS ? `${status} ${code}` : `[no code: ${JSON.stringify(value)}]`;
  };
}

type Answered = Extract<Ended, { kind: 'answered' }>;

/** Status and body of an answer; of a streamed one those that its last line stands for. */
export function lastOf({ status, headers, text }: Answered): { readonly status: number; readonly value: unknown } {
  if (!headers['content-type']?.includes('ndjson')) return { status, value: JSON.parse(text) };
  const line: unknown = JSON.parse(text.trim().split('\n').at(-1) ?? 'null');
  if (!isRecord(line)) return { status, value: line };
  if ('response' in line) return { status, value: line['response'] };
  const { failure } = line;
  return { status: isRecord(failure) ? Number(failure['status']) : NaN, value: failure };
}

/** Another way through the same numbers, such as a smaller batch, changes their last digits. */
const TOLERANCE = 1e-4;

/** The same JSON, numbers apart by rounding at most. */
export function isClose(got: unknown, expected: unknown): boolean {
  if (typeof got === 'number' && typeof expected === 'number')
    return Math.abs(got - expected) <= TOLERANCE * Math.max(1, Math.abs(expected));
  if (Array.isArray(got) && Array.isArray(expected))
    return got.length === expected.length && got.every((each, index) => isClose(each, expected[index]));
  if (!isRecord(got) || !isRecord(expected)) return got === expected;
  const keys = Object.keys(expected);
  return keys.length === Object.keys(got).length && keys.every((key) => isClose(got[key], expected[key]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
