import { wordsOf } from '../../spoken.ts';

/** What changed attention does to the target, in numbers. */
export interface TargetChange {
  /** The target, as a phrase. */
  readonly name: string;
  /** How many times more or less likely; null for hardly any change. */
  readonly times: string | null;
  readonly isLess: boolean;
  /** Its probability before; null where it is still the same to the digits that are shown. */
  readonly from: string | null;
  readonly to: string;
  readonly nats: string;
}

/** Changed attention to parts of the prompt. */
export const WHAT_IF = {
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
  otherModel: (version: string) =>
    `Now ${version} answers, and not the model of this result. Explain again to compare them.`,
  tryAgain: 'Try again',
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
};

/** See `WHAT_IF`. */
export const whatIfWords = wordsOf('explain/what-if', WHAT_IF);
