/** What is stored under a key; null where there is nothing, or where the browser forbids even to look. */
export function storedText(storage: Pick<Storage, 'getItem'> | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null;
  } catch (error) {
    console.warn(`${key} cannot be read from this browser's storage: ${String(error)}`);
    return null;
  }
}
