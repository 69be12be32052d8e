import type { Outcome } from '../../../../state/explain/outcome.ts';
import {
  type Comparison,
  type Incomparable,
  largestDifferences,
  type Unlike,
} from '../../../../state/variations/comparison.ts';
import { nameOf, natsText, sectionPhrase } from '../../texts.ts';

const REASONS: Readonly<Record<Incomparable, string>> = {
  partial: 'B is not finished.',
  unchanged: 'With an attention strength of 1 every score is zero.',
  normalized: 'Normalized scores lie between 0 and 1 in each result and have no common unit.',
  postprocessing: 'Absolute or squared scores do not say whether a section supports or opposes the target.',
};

/** Why the page shows no difference; null where it does. */
export function incomparableText({ reasons }: Comparison): string | null {
  if (reasons.length === 0) return null;
  return `A and B cannot be subtracted. ${reasons.map((reason) => REASONS[reason]).join(' ')}`;
}

/** The largest difference, and what has no match. */
export function differenceText(comparison: Comparison): string {
  const { sections } = comparison;
  const isMatched = sections.some(({ a, b }) => a && b);
  if (!isMatched) return 'No section of A has the words of a section of B, so there is no difference to show.';
  const [top] = largestDifferences(comparison);
  if (!top?.a || !top.b) return `Matching sections differ by less than 0.1 nats. ${unmatchedText(comparison)}`.trim();
  const scores = `${natsText(top.a.total)} in A, ${natsText(top.b.total)} in B`;
  const largest = `The largest difference is ${sectionPhrase(top.a)}: ${scores} (${natsText(top.difference ?? 0)}).`;
  return `${largest} ${unmatchedText(comparison)}`.trim();
}

function unmatchedText({ sections }: Comparison): string {
  const onlyA = sections.filter(({ b }) => !b).length;
  const onlyB = sections.filter(({ a }) => !a).length;
  if (onlyA + onlyB === 0) return '';
  const counted = (count: number) => `${count} section${count === 1 ? '' : 's'}`;
  return `Without a match: ${counted(onlyA)} of A, ${counted(onlyB)} of B.`;
}

/** What else differs between the questions, one sentence each: a part of the difference may come from it. */
export function unlikeTexts({ unlike }: Comparison, a: Outcome, b: Outcome): string[] {
  const [of, to] = [a.question, b.question];
  const texts: Readonly<Record<Unlike, string | null>> = {
    picture: 'The pictures differ: their tiles have no match.',
    prompt: null, // the sections without a match say so
    target: `The scores of A are about ‘${nameOf(of.target)}’, those of B about ‘${nameOf(to.target)}’.`,
    factor: `The attention strength differs: × ${of.settings.factor} in A, × ${to.settings.factor} in B.`,
    scaling: 'Attention is scaled in different ways.',
    granularity: 'The prompts are split in different ways.',
    similarity: 'Similar tokens are dimmed in different ways.',
    model: `The models differ: ${a.modelVersion ?? 'unknown'} and ${b.modelVersion ?? 'unknown'}.`,
  };
  return unlike.flatMap((name) => texts[name] ?? []);
}
