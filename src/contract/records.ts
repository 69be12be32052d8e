/** Whether a parsed JSON value is an object with fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a name from outside; undefined for one that an object only inherits, such as `constructor`. */
export function ownValue<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** @returns null for a text that is not JSON */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a list of objects that each pass. */
export function isListOf(value: unknown, accepts: (fields: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isRecord(one) && accepts(one));
}

/** Whether all values are finite numbers. */
export function areNumbers(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isFinite(value));
}

/** Whether an item of an explanation has a place and a number for each score; not for token ids, whose scores are numbers. */
export function hasPlacedScores({ type, scores }: Fields): boolean {
  return isListOf(scores, ({ rect, start, length, score }) => {
    if (type !== 'image') return areNumbers(start, length, score);
    return isRecord(rect) && areNumbers(rect['left'], rect['top'], rect['width'], rect['height'], score);
  });
}
