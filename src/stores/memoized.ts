/** Makes one value for each key, at its first use; it is dropped with the key. */
export function memoized<Key extends object, Source, Value>(
  create: (key: Key, source: Source) => Value,
): (key: Key, source: Source) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key, source) => {
    const known = made.get(key) ?? { value: create(key, source) };
    made.set(key, known);
    return known.value;
  };
}
