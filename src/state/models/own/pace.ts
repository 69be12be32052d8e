/** How fast something comes. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Null while nothing comes. */
  readonly secondsLeft: number | null;
}

/** What the pace is taken over: long enough to be calm, short enough to follow a change. */
const WINDOW_MS = 5_000;

/** The pace of a download over its last seconds; null until there are two moments to compare. @param now  milliseconds */
export function createFetchPace(
  now: () => number,
): (progress: { readonly done: number; readonly total: number }) => Pace | null {
  const moments: { readonly at: number; readonly done: number }[] = [];
  return ({ done, total }) => {
    const at = now();
    moments.push({ at, done });
    while (moments.length > 2 && at - (moments[0]?.at ?? at) > WINDOW_MS) moments.shift();
    const first = moments[0];
    if (!first || at <= first.at) return null;
    const bytesPerSecond = (1000 * (done - first.done)) / (at - first.at);
    return { bytesPerSecond, secondsLeft: bytesPerSecond > 0 ? (total - done) / bytesPerSecond : null };
  };
}
