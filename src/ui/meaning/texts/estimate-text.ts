import type { Pace } from '../../../state/meaning/pace.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';

/** A short text, as comments are. */
const SHORT = 'x'.repeat(100);

/** A time, rounded as an estimate is: to a second, to five seconds, to minutes. */
export function timeText(ms: number): string {
  const { seconds, minutes } = meaningWords().reading;
  const exact = ms / 1000;
  if (exact < 10) return seconds(Math.max(1, Math.round(exact)));
  if (exact < 90) return seconds(5 * Math.round(exact / 5));
  return minutes(Math.round(exact / 60));
}

/** How long these texts will take; null where there are none. */
export function estimateText(texts: readonly string[], pace: Pace): string | null {
  const ms = pace.estimate(texts);
  return texts.length === 0 || ms === null ? null : meaningWords().reading.estimate(texts.length, timeText(ms));
}

/** How long 1,000 and 20,000 short texts take. */
export function ruleText(pace: Pace): string {
  const ms = pace.estimate([SHORT]) ?? 0;
  return meaningWords().reading.rule(timeText(1000 * ms), timeText(20_000 * ms));
}
