/** Stops of the factor slider; fine where attention almost vanishes, coarse above 1. */
export const FACTORS: readonly number[] = [
  0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2,
];

/** What a control factor does, in a few words. */
export function factorText(factor: number): string {
  if (factor === 0) return 'removed';
  if (factor < 1) return 'suppressed';
  return factor === 1 ? 'unchanged' : 'strengthened';
}

/** What is done to a section, which is named as inside a sentence. */
export function factorPhrase(section: string, factor: number): string {
  if (factor === 0) return `Without ${section}`;
  return `With attention to ${section} at ${Math.round(factor * 100)} %`;
}
