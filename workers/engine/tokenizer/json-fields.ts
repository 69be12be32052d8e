import { refuse } from '../network.ts';

/** A part of `tokenizer.json` with the path to it, for messages. */
export interface JsonPart {
  readonly path: string;
  readonly value: object;
}

/** The part of a name; undefined where it is absent or null. @throws {FailureError} MODEL_UNAVAILABLE where it is not an object */
export function partOf({ path, value }: JsonPart, name: string): JsonPart | undefined {
  const part: unknown = Reflect.get(value, name) ?? undefined;
  if (part === undefined) return undefined;
  if (typeof part !== 'object' || part === null) return refuseField(`${path}${name}`, 'an object', part);
  return { path: `${path}${name}.`, value: part };
}

/** The objects of a list; none where it is absent or null. @throws {FailureError} MODEL_UNAVAILABLE for another form */
export function partsOf(part: JsonPart, name: string): JsonPart[] {
  const list: unknown = Reflect.get(part.value, name) ?? [];
  if (!Array.isArray(list)) return refuseField(`${part.path}${name}`, 'a list', list);
  return list.map((value: unknown, index) => {
    const path = `${part.path}${name}[${index}]`;
    return typeof value === 'object' && value !== null
      ? { path: `${path}.`, value }
      : refuseField(path, 'an object', value);
  });
}

/** A text; `absent` where it is left out or null. @throws {FailureError} MODEL_UNAVAILABLE for another type */
export function textField(part: JsonPart, name: string, absent: string): string {
  return fieldOf(part, name, absent, 'a text', (value) => typeof value === 'string');
}

/** A boolean; `absent` where it is left out or null. @throws {FailureError} MODEL_UNAVAILABLE for another type */
export function flagField(part: JsonPart, name: string, absent: boolean): boolean {
  return fieldOf(part, name, absent, 'true or false', (value) => typeof value === 'boolean');
}

/** A whole number ≥ 0; `absent` where it is left out or null. @throws {FailureError} MODEL_UNAVAILABLE for another type */
export function countField(part: JsonPart, name: string, absent: number): number {
  return fieldOf(part, name, absent, 'a whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
}

function fieldOf<Value>(
  { path, value }: JsonPart,
  name: string,
  absent: Value,
  expected: string,
  fits: (field: unknown) => boolean,
): Value {
  const field: unknown = Reflect.get(value, name) ?? absent;
  // `fits` has just looked at the type.
  return fits(field) ? (field as Value) : refuseField(`${path}${name}`, expected, field);
}

/** @throws {FailureError} MODEL_UNAVAILABLE naming the type of a step that is not known */
export function refuseType({ path, value }: JsonPart): never {
  return refuseField(`${path}type`, 'a type that is supported', Reflect.get(value, 'type'));
}

/** @throws {FailureError} MODEL_UNAVAILABLE */
export function refuseField(path: string, expected: string, got: unknown): never {
  const shown = JSON.stringify(got)?.slice(0, 60) ?? 'nothing';
  return refuse(`tokenizer.json: ${path}: expected ${expected}, got ${shown}`);
}
