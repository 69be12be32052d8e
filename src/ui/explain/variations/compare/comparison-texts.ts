import { compareWords } from '../../../../words/en/explain/compare.ts';
import { numberText } from '../../../../words/numbers.ts';
import { NEUTRAL_NATS } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { type Comparison, largestDifferences, type Unlike } from '../../../../state/variations/comparison.ts';
import { natsText, quoted, sectionPhrase, timesFactor } from '../../texts.ts';

/** Why the page shows no difference; null where it does. */
export function incomparableText({ reasons }: Comparison): string | null {
  const words = compareWords();
  return reasons.length === 0 ? null : words.incomparable(reasons.map((reason) => words.reasons[reason]));
}

/** The largest difference, and what has no match. */
export function differenceText(comparison: Comparison): string {
  const words = compareWords().difference;
  const isMatched = comparison.sections.some(({ a, b }) => a && b);
  if (!isMatched) return words.noMatch;
  const [top] = largestDifferences(comparison);
  if (!top?.a || !top.b) return `${words.small(numberText(NEUTRAL_NATS))} ${unmatchedText(comparison)}`.trim();
  const [a, b] = [natsText(top.a.total), natsText(top.b.total)];
  const largest = words.largest(sectionPhrase(top.a), a, b, natsText(top.difference ?? 0));
  return `${largest} ${unmatchedText(comparison)}`.trim();
}

function unmatchedText({ sections }: Comparison): string {
  const onlyA = sections.filter(({ b }) => !b).length;
  const onlyB = sections.filter(({ a }) => !a).length;
  return onlyA + onlyB === 0 ? '' : compareWords().difference.unmatched(onlyA, onlyB);
}

/** What else differs between the questions, one sentence each: a part of the difference may come from it. */
export function unlikeTexts({ unlike }: Comparison, a: Outcome, b: Outcome): string[] {
  const words = compareWords().unlike;
  const [of, to] = [a.question, b.question];
  const texts: Readonly<Record<Unlike, string | null>> = {
    picture: words.picture,
    prompt: null, // the sections without a match say so
    target: words.target(quoted(of.target), quoted(to.target)),
    factor: words.factor(timesFactor(of.settings.factor), timesFactor(to.settings.factor)),
    scaling: words.scaling,
    granularity: words.granularity,
    similarity: words.similarity,
    model: words.model(a.modelVersion ?? words.unknownModel, b.modelVersion ?? words.unknownModel),
  };
  return unlike.flatMap((name) => texts[name] ?? []);
}
