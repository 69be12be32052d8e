import { isRecord } from '../../../../src/contract/records.ts';
import type { SchemaFields } from './place.ts';

/**
 * Whether it is plain that no value meets two of some schemas: each has another type, or all are of objects that require a property
 * with other values in each.
 */
export function areExclusive(schemas: readonly unknown[]): boolean {
  const known = schemas.filter(isRecord);
  if (known.length < schemas.length) return false;
  if (areDistinct(known.map(({ type }) => (typeof type === 'string' ? [type.replace('integer', 'number')] : null))))
    return true;
  const properties = known[0]?.['properties'];
  return (
    isRecord(properties) && Object.keys(properties).some((name) => areDistinct(known.map((each) => values(each, name))))
  );
}

/** The values of a property that an object must have; null where that is not plain. */
function values({ type, required, properties }: SchemaFields, name: string): readonly unknown[] | null {
  if (type !== 'object' || !Array.isArray(required) || !required.includes(name) || !isRecord(properties)) return null;
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isRecord(own)) return null;
  const list = 'const' in own ? [own['const']] : own['enum'];
  return Array.isArray(list) && list.every((value) => typeof value !== 'object') ? list : null;
}

/** Whether no value is in two lists. */
function areDistinct(lists: readonly (readonly unknown[] | null)[]): boolean {
  const all = lists.flatMap((list) => list ?? []);
  return !lists.includes(null) && new Set(all).size === all.length;
}
