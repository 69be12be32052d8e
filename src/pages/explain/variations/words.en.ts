import { countText, type Plural, wordsFor } from '../../../words/language.ts';

const SECTIONS: Plural = { one: 'section', other: 'sections' };

/** Two questions side by side: A, that of the outcome, and B. */
export const compareWords = wordsFor('explain/compare', {
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
    textOfB: { prompt: 'Prompt of B', target: 'Target of B' },
    strengthOfB: 'Attention strength of B',
    strengthIs: (strength: string) => `Attention strength of B: ${strength}`,
    modelOfB: 'Model of B',
    onlyModel: (model: string) => `Model: ${model}, the only model here that can explain.`,
    pictureStays: 'The picture of A stays.',
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
    target: (a: string, b: string) => `The scores of A are about ${a}, those of B about ${b}.`,
    factor: (a: string, b: string) => `The attention strength differs: ${a} in A, ${b} in B.`,
    scaling: 'Attention is scaled in different ways.',
    model: (a: string, b: string) => `The models differ: ${a} and ${b}.`,
  },
});

/** The target compared with another one. */
export const contrastWords = wordsFor('explain/contrast', {
  label: 'Another answer',
  foil: 'Why not',
  placeholder: 'another answer?',
  suggested: 'Also likely:',
  asksFor: (label: string) =>
    `${label} asks for an answer of this kind. Compare with another answer to see what decides between them.`,
  run: 'Compare',
  running: 'Comparing',
  otherModel: (version: string) =>
    `${version} answers now, not the model of this result. Explain again to compare them.`,
  forTarget: (section: string, target: string, foil: string, nats: string) =>
    `${section} speaks most for ${target} rather than ${foil} (${nats} nats).`,
  forFoil: (section: string, target: string, foil: string, nats: string) =>
    `${section} speaks most for ${foil} rather than ${target} (${nats} nats).`,
  alike: (target: string, foil: string) => `No part of the prompt speaks much more for ${target} than for ${foil}.`,
  same: (target: string) => `${target} is what the model says.`,
  alone: (foil: string) => `Explain ${foil} alone`,
  prompt: 'Prompt by what speaks for the target rather than for the other text',
  picture: 'Picture by what speaks for the target rather than for the other text',
  ends: (target: string, foil: string) => `Positive: for ${target}. Negative: for ${foil}.`,
  table: 'Strongest differences, nats',
  section: 'Section',
  difference: 'Difference',
});

/** The test of an explanation. */
export const faithfulnessWords = wordsFor('explain/faithfulness', {
  label: 'Test of this explanation',
  title: 'Is this explanation true to the model?',
  about:
    'The sections with the highest scores are removed, and the model is asked again: if the explanation is true, the target becomes much less likely. Other orders of the same sections are shown for comparison.',
  cost: (sections: string) => `Takes hundreds of short calls for ${sections} sections. Other requests take priority.`,
  /** @param cost  null where no price is known */
  requests: (requests: string, host: string, tokens: string, cost: string | null) =>
    `Sends up to ${requests} requests with ${tokens} tokens to ${host}${cost === null ? '' : `, which cost up to ${cost}`}.`,
  run: 'Run the test',
  running: 'Testing',
  cancel: 'Cancel',
  few: 'The prompt needs at least four sections, and a factor other than 1.',
  otherModel: 'A different model answers now. Explain again to test it.',
  better: (own: string, other: string) =>
    `Without its strongest sections the target loses ${own} nats; without random ones ${other}. The explanation finds what matters.`,
  worse: (own: string, other: string) =>
    `Without its strongest sections the target loses ${own} nats; without random ones ${other}. The explanation does no better than chance.`,
  figure: 'Figure',
  orders: {
    explanation: 'Explanation',
    deletion: 'Deletion',
    random: 'Random',
    'last first': 'Last first',
    'longest first': 'Longest first',
  },
  rows: {
    comprehensivenessByControls: 'Lost without the first sections, suppressed (nats, high is good)',
    sufficiencyByControls: 'Lost with only the first sections, others suppressed (nats, low is good)',
    comprehensivenessByDeletion: 'Lost without the first sections, deleted (nats, high is good)',
    sufficiencyByDeletion: 'Lost with only the first sections, others deleted (nats, low is good)',
    kendall: 'Agreement with deleting each section (Kendall τ)',
    spearman: 'Agreement with deleting each section (Spearman ρ)',
    datamodelling: 'Agreement of summed scores with suppressing random sets (Spearman ρ)',
    datamodellingByDeletion: 'Agreement of summed scores with deleting random sets (Spearman ρ)',
  },
  interval: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
  none: '–',
  foot: (sections: string, calls: string) =>
    `Losses are means over 5, 10, 20, 35 and 50 % of ${sections} sections, from ${calls} calls. In brackets: 95 % intervals.`,
});

/** A record that is computed again. */
export const recordWords = wordsFor('explain/record', {
  label: 'Check of a record',
  title: (file: string) => `Record ‘${file}’`,
  running: 'Computing the record again',
  holds: (nats: string, scores: string) =>
    `The record holds: computed again here, ${scores} scores differ by at most ${nats} nats.`,
  differs: (nats: string, scores: string) =>
    `The record does not hold: computed again here, ${scores} scores differ by up to ${nats} nats.`,
  otherDevice: 'A difference this small can come from another kind of device, which rounds numbers differently.',
  otherSections: 'The record does not hold: computed again here, the prompt has other sections.',
  otherModel: (recorded: string, recomputed: string) => `Recorded by ${recorded}, computed again by ${recomputed}.`,
  sameFiles: 'The files of the model are the recorded ones.',
  otherFiles: 'The files of the model are not the recorded ones.',
  unknownFiles: 'Whether the files of the model are the same is not known.',
  unreadable: (reason: string) => `This record cannot be read: ${reason}.`,
  close: 'Close',
});

/** The effect of changed attention on the target, in numbers. */
interface TargetChange {
  /** The target, as a phrase. */
  readonly name: string;
  /** How many times more or less likely; null for hardly any change. */
  readonly times: string | null;
  readonly isLess: boolean;
  /** Its probability before; null where the shown digits are the same. */
  readonly from: string | null;
  readonly to: string;
  readonly nats: string;
}

/** Changed attention to parts of the prompt. */
export const whatIfWords = wordsFor('explain/what-if', {
  label: 'What if',
  title: 'What if the model paid more or less attention to parts of the prompt?',
  chooseWords: 'Choose words, then move their sliders: 0 ignores a part, 1 leaves it as it is, 4 strengthens it most.',
  chooseTiles:
    'Choose tiles or words, then move their sliders: 0 ignores a part, 1 leaves it as it is, 4 strengthens it most.',
  prompt: 'Prompt. Arrow keys move between sections, Enter changes the attention to one.',
  slider: (section: string) => `Attention to ${section}`,
  reset: 'Reset',
  resetOne: (section: string) => `Reset ${section}`,
  resetAll: (count: string) => `Reset all ${count}`,
  none: 'Nothing is changed yet.',
  computing: 'Computing…',
  unchanged: 'Unchanged',
  withChanges: 'With your changes',
  says: 'The model itself says',
  probability: (target: string) => `Probability of ${target}`,
  nextTokens: 'Likeliest next tokens',
  nothing: 'nothing: it ends the text',
  target: ({ name, times, isLess, from, to, nats }: TargetChange) => {
    const effect =
      times === null
        ? `hardly change how likely ${name} is`
        : `make ${name} ${times} ${isLess ? 'less' : 'more'} likely`;
    return `Your changes ${effect}: ${from === null ? `still ${to}` : `${to} instead of ${from}`} (${nats} nats).`;
  },
  stillSays: (words: string) => `The model still says ${words}.`,
  stillEnds: 'The model still ends the text.',
  nowEnds: (before: string) => `The model now ends the text instead of saying ${before}.`,
  nowSays: (words: string, before: string) => `The model now says ${words} instead of ${before}.`,
  saysNow: (words: string) => `The model now says ${words} instead of ending the text.`,
  request: {
    title: 'The changes as a request',
    about:
      'Each change is a control of the prompt: a factor on the attention to a span of code points, or to a rectangle of the picture. Attention is scaled as in the result.',
    controls: 'Controls',
    copyControls: 'Copy controls',
    copyRequest: 'Copy request',
    open: 'Open as a request on the API page',
  },
});
