import { isRecord } from '../contract/records.ts';
import { shown } from '../contract/shown.ts';

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** What was expected at a place, and what came. */
export function unexpected(place: string, expected: string, got: unknown): RangeError {
  return new RangeError(`${place}: expected ${expected}, got ${shown(got)}`);
}

/** @throws {RangeError} */
export function fieldsAt(value: unknown, place: string): Fields {
  if (!isRecord(value)) throw unexpected(place, 'an object', value);
  return value;
}

/** @throws {RangeError} */
export function textAt(value: unknown, place: string): string {
  if (typeof value !== 'string') throw unexpected(place, 'a text', value);
  return value;
}

/** @throws {RangeError} also for a number that is not finite */
export function numberAt(value: unknown, place: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unexpected(place, 'a finite number', value);
  return value;
}

/** A list, each value of it read. @param length  that it must have; default: any @throws {RangeError} */
export function listAt<T>(
  value: unknown,
  place: string,
  read: (value: unknown, place: string) => T,
  length?: number,
): T[] {
  if (!Array.isArray(value)) throw unexpected(place, 'a list', value);
  if (length !== undefined && value.length !== length)
    throw new RangeError(`${place}: expected a list of ${length}, got one of ${value.length}`);
  return value.map((one, at) => read(one, `${place}[${at}]`));
}
