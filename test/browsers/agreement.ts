/** How far two browsers may be apart in a number: a score, a coordinate. */
const TOLERANCE = 1e-3;

/**
 * Where two answers differ, in words; numbers may be `TOLERANCE` apart.
 *
 * @returns  one line for each difference, such as `items[2].score: 1.5 and 1.7`; empty for answers that agree
 */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= TOLERANCE ? [] : [`${path}: ${one} and ${other}`];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((value, i) => differences(value, other[i], `${path}[${i}]`));
  if (isRecord(one) && isRecord(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(one[key], other[key], `${path}.${key}`));
  }
  return Object.is(one, other) ? [] : [`${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The answers of one browser after another to the same checks. */
export interface Agreement {
  /**
   * Where an answer differs from that of the browser that gave one first.
   *
   * @returns  one line for each difference; empty for the first browser
   */
  compare(browser: string, check: string, answer: unknown): string[];
}

/** Nothing compared yet. */
export function createAgreement(): Agreement {
  const first = new Map<string, { readonly browser: string; readonly answer: unknown }>();
  return {
    compare(browser, check, answer) {
      const reference = first.get(check);
      if (reference !== undefined)
        return differences(reference.answer, answer).map((line) => `${reference.browser} and ${browser} at ${line}`);
      first.set(check, { browser, answer });
      return [];
    },
  };
}
