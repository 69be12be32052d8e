import { wordsOf } from '../../spoken.ts';

/** Figures and reports of a result: what stands in files for people. */
export const FIGURES = {
  partial: 'Partial result: not all sections were explained.',
  facts: {
    prompt: 'Prompt',
    target: 'Target',
    view: 'Influence on',
    model: 'Model',
    settings: 'Settings',
    attention: 'Attention',
    scores: 'Scores',
    estimates: 'Estimates',
  },
  estimates: (estimated: string, all: string) =>
    `${estimated} of ${all} scores, marked by ≈ and a dotted line; nine in ten are within their margin, which the CSV file has.`,
  picture: (name: string) => `the picture ${name}`,
  pictureAndText: (picture: string, text: string) => `${picture}, then ${text}`,
  cut: (shown: string, all: string) => `The strongest ${shown} of ${all} sections; the CSV file has them all.`,
  version: (model: string, version: string) => `${model}, version ${version}`,
  drawnWith: (model: string, program: string) => `${model}; drawn with ${program}`,
  scoresRise: (factor: string, least: string) =>
    `nats: how much the cross entropy of the target rises with the attention to a section ${factor}. Positive supports the target, negative opposes it; below ${least} there is no colour.`,
  scoresFall: (factor: string, least: string) =>
    `nats: how much the cross entropy of the target falls with the attention to a section ${factor}. Positive supports the target, negative opposes it; below ${least} there is no colour.`,
  titles: {
    heat: (target: string, lead: string) => `Heat map of the influence on ${target}. ${lead}`,
    bars: (target: string, lead: string) => `Bars of the influence on ${target}. ${lead}`,
    matrix: (target: string, lead: string) => `Matrix of the influence on ${target}. ${lead}`,
  },
  strongest: 'Strongest sections, nats',
  opposesArrow: '← opposes',
  supportsArrow: 'supports →',
  legend: (least: string) => `supports (nats; below ${least} no colour)`,
  scales: (picture: string, text: string) => `Full colour: ${picture} in the picture, ${text} in the text`,
  target: (target: string) => `Target ${target}`,
  alt: 'The picture of the prompt',
  settings: {
    split: {
      auto: 'split automatically',
      token: 'split by token',
      word: 'split by word',
      sentence: 'split by sentence',
      paragraph: 'split by paragraph',
    },
    splitAt: (delimiter: string) => `split at ‘${delimiter}’`,
    add: (strength: string, state: string) => `attention ${strength} (${state}), log-additive`,
    multiply: (strength: string, state: string) => `attention ${strength} (${state}), multiplicative`,
    partial: 'partly covered tokens proportionally',
    complete: 'partly covered tokens fully',
    notSimilar: 'similar tokens not dimmed',
    similar: (cosine: string) => `similar tokens dimmed too, from a cosine of ${cosine} on`,
    token: (index: number, strength: string) => `token ${index} ${strength}`,
    ofPicture: (strength: string) => `a part of the picture ${strength}`,
    text: (text: string, strength: string) => `‘${text}’ ${strength}`,
  },
  latex: {
    key: (full: string, least: string) =>
      `Amber supports, blue opposes; full colour is ${full} nats, below ${least} nats there is none.`,
  },
  report: {
    picture: 'Picture',
    pictureFirst: (name: string) => `${name}; it stands in front of the text.`,
    prompt: 'Prompt',
    target: 'Target',
    heat: 'Heat map',
    bars: 'Bars',
    matrix: 'By target word',
    said: 'What the model itself says',
    tokens: ['Target token', 'Probability', 'Likeliest tokens here'],
    scores: 'All scores, nats, strongest first',
    columns: ['Section', 'Place', 'Whole target'],
    settings: 'Settings',
    facts: ['What', 'Value'],
    request: 'The request, as the API has it',
    fields: ['Field', 'Value'],
    made: (program: string) => `Drawn with ${program}, in the browser.`,
  },
};

/** See `FIGURES`. */
export const figuresWords = wordsOf('explain/figures', FIGURES);
