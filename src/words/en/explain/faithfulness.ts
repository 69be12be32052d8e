import { wordsOf } from '../../spoken.ts';

/** An explanation put to the test. */
export const FAITHFULNESS = {
  label: 'Test of this explanation',
  title: 'Is this explanation true to the model?',
  about:
    'The sections with the highest scores are taken away, and the model is asked again: if the explanation is true, the target becomes much less likely. Other orders of the same sections stand beside it.',
  cost: (sections: string) => `Takes hundreds of short calls for ${sections} sections. Everything else goes first.`,
  run: 'Run the test',
  running: 'Testing',
  cancel: 'Cancel',
  few: 'The prompt needs at least four sections, and a factor other than 1.',
  otherModel: 'Now another model answers than that of this result. Explain again to test it.',
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
  },
  interval: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
  none: '–',
  foot: (sections: string, calls: string) =>
    `Losses are means over 5, 10, 20, 35 and 50 % of ${sections} sections, from ${calls} calls. In brackets: 95 % intervals.`,
};

/** See `FAITHFULNESS`. */
export const faithfulnessWords = wordsOf('explain/faithfulness', FAITHFULNESS);
