import { countText, type Plural } from '../../numbers.ts';
import { wordsOf } from '../../spoken.ts';

const SECTIONS: Plural = { one: 'section', other: 'sections' };

/** Two questions side by side: A, the result, and B. */
export const COMPARE = {
  label: 'Comparison',
  title: 'Compare two questions',
  close: 'Close comparison',
  about: 'A is the result above and stays as it is. Change the prompt, target or attention of B.',
  question: {
    a: 'Question A',
    b: 'Question B',
    target: 'Target',
    strength: 'Attention strength',
    model: 'Model',
    promptOfB: 'Prompt of B',
    targetOfB: 'Target of B',
    strengthOfB: 'Attention strength of B',
    strengthIs: (strength: string) => `Attention strength of B: ${strength}`,
    modelOfB: 'Model of B',
    onlyModel: (model: string) => `Model: ${model}, the only one here that explains.`,
    pictureStays: 'The picture of A stays.',
    missing: { prompt: 'Enter a prompt.', target: 'Enter a target.', delimiter: 'Enter a delimiter.' },
    done: 'B is explained.',
    changed: 'B has changed since its result.',
    explain: 'Explain B',
    cancel: 'Cancel',
    share: 'Explanation of B',
  },
  side: {
    result: (name: string) => `Result ${name}`,
    picture: (name: string) => `Picture of ${name} by influence`,
    prompt: (name: string) => `Prompt of ${name} by influence`,
  },
  reasons: {
    partial: 'B is not finished.',
    unchanged: 'With an attention strength of 1 every score is zero.',
    normalized: 'Normalized scores lie between 0 and 1 in each result and have no common unit.',
    postprocessing: 'Absolute or squared scores do not say whether a section supports or opposes the target.',
  },
  incomparable: (reasons: readonly string[]) => `A and B cannot be subtracted. ${reasons.join(' ')}`,
  difference: {
    label: 'Difference',
    title: 'Difference, A − B',
    noMatch: 'No section of A has the words of a section of B, so there is no difference to show.',
    small: (nats: string) => `Matching sections differ by less than ${nats} nats.`,
    largest: (section: string, a: string, b: string, difference: string) =>
      `The largest difference is ${section}: ${a} in A, ${b} in B (${difference}).`,
    unmatched: (a: number, b: number) =>
      `Without a match: ${countText(a, SECTIONS)} of A, ${countText(b, SECTIONS)} of B.`,
    about: 'Sections match where they have the same words in the same order.',
    pictureScale: 'nats, pictures of A and B',
    promptScale: 'nats, prompts of A and B',
    low: 'less support in A',
    high: 'more support in A',
    picture: 'Difference on the picture of A',
    prompt: 'Difference on the prompt of A',
    readout: 'Hover over a word in A or B to see its match.',
    none: 'no match',
    unit: (difference: string) => `A − B ${difference} nats`,
    table: 'Comparison as table',
    section: 'Section',
    a: 'A, nats',
    b: 'B, nats',
  },
  unlike: {
    picture: 'The pictures differ: their tiles have no match.',
    target: (a: string, b: string) => `The scores of A are about ${a}, those of B about ${b}.`,
    factor: (a: string, b: string) => `The attention strength differs: ${a} in A, ${b} in B.`,
    scaling: 'Attention is scaled in different ways.',
    granularity: 'The prompts are split in different ways.',
    similarity: 'Similar tokens are dimmed in different ways.',
    model: (a: string, b: string) => `The models differ: ${a} and ${b}.`,
    unknownModel: 'unknown',
  },
};

/** See `COMPARE`. */
export const compareWords = wordsOf('explain/compare', COMPARE);
