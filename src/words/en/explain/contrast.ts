import { wordsOf } from '../../spoken.ts';

/** The target beside another one. */
export const CONTRAST = {
  label: 'Another target',
  title: 'Why this target and not another one?',
  about:
    'Colours show which parts of the prompt speak for the target rather than for the other text: the score of the target minus that of the other.',
  foil: 'Other target',
  placeholder: 'Such as another answer',
  run: 'Compare',
  running: 'Comparing',
  missing: 'Enter another target.',
  otherModel: (version: string) =>
    `Now ${version} answers, and not the model of this result. Explain again to compare them.`,
  forTarget: (section: string, target: string, foil: string, nats: string) =>
    `${section} speaks most for ${target} rather than ${foil} (${nats} nats).`,
  forFoil: (section: string, target: string, foil: string, nats: string) =>
    `${section} speaks most for ${foil} rather than ${target} (${nats} nats).`,
  alike: (target: string, foil: string) => `No part of the prompt speaks much more for ${target} than for ${foil}.`,
  prompt: 'Prompt by what speaks for the target rather than for the other',
  picture: 'Picture by what speaks for the target rather than for the other',
  ends: (target: string, foil: string) => `Positive: for ${target}. Negative: for ${foil}.`,
  table: 'Strongest differences, nats',
  section: 'Section',
  difference: 'Difference',
};

/** See `CONTRAST`. */
export const contrastWords = wordsOf('explain/contrast', CONTRAST);
