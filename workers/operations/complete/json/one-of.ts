import { isRecord } from '../../../../src/contract/records.ts';

/** Whether no value can meet two schemas: their types differ, or the values of a property that all require. */
export function areExclusive(schemas: readonly unknown[]): boolean {
  const [first = new Map(), ...others] = [...new Set(schemas)].map(plainValues);
  if (others.length < schemas.length - 1) return false;
  return [...first.keys()].some((key) => {
    if (!others.every((each) => each.has(key))) return false;
    const all = [first, ...others].flatMap((each) => each.get(key) ?? []);
    return new Set(all).size === all.length;
  });
}

/** The type of a schema, by null, and the values of each property that its objects must have, where these are plain. */
function plainValues(schema: unknown): ReadonlyMap<string | null, readonly unknown[]> {
  const values = new Map<string | null, readonly unknown[]>();
  const { type, required, properties } = isRecord(schema) ? schema : {};
  if (typeof type === 'string') values.set(null, [type.replace('integer', 'number')]);
  if (type !== 'object' || !Array.isArray(required) || !isRecord(properties)) return values;
  for (const name of new Set(required)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const list = isRecord(own) && ('const' in own ? [own['const']] : own['enum']);
    if (Array.isArray(list) && list.every((value) => typeof value !== 'object')) values.set(name, list);
  }
  return values;
}
