import { countText, listText, wordsFor } from '../words/language.ts';

/** The dialog that saves and shares a result. */
export const exportWords = wordsFor('explain/export', {
  title: 'Save or share',
  close: 'Close',
  what: 'What to save',
  format: 'Format',
  cannotDraw: 'The browser could not draw this result.',
  things: {
    heat: {
      label: 'Heat map',
      about: 'The prompt in the colours of its influence, with headline, target, model and settings.',
    },
    bars: {
      label: 'Bars',
      about: 'The strongest sections as bars, with headline, prompt, target, model and settings.',
    },
    matrix: {
      label: 'By target word',
      about: 'The strongest sections by target word, with headline, prompt, target, model and settings.',
    },
    numbers: {
      label: 'Numbers',
      about: 'All scores with the settings. JSON also has the prompt, and can be sent to the API again.',
    },
    record: {
      label: 'Record',
      about:
        'Prompt, settings, scores, model files and engine, so that others can recompute the scores: by dropping the file on this page, or with “lightwell verify”.',
    },
    report: {
      label: 'Report',
      about: 'One page with all figures, tables and settings. It opens in any browser, even offline.',
    },
    share: { label: 'Share picture', about: 'Headline and heat map on 1200 × 630 pixels, for a post or a slide.' },
  },
  formats: {
    svg: 'Sharp at any size; for web pages and slides.',
    png: 'A picture that opens everywhere.',
    pdf: 'For papers. Opens the print dialog of the browser: choose “Save as PDF” there.',
    html: 'No script, no network.',
    tex: 'Coloured boxes; the document needs the package xcolor.',
    csv: 'For spreadsheets and scripts.',
    json: 'Request and response, as the API has them.',
  },
  save: (format: string) => `Save ${format}`,
  print: 'Print',
  copy: (format: string) => `Copy ${format}`,
  drawing: 'Drawing …',
  saved: (name: string) => `Saved ${name}`,
  failed: (why: string) => `The browser could not draw this file: ${why}`,
  preview: 'Preview',
  link: {
    label: 'Link',
    about:
      'A link that opens Lightwell with these settings. It holds prompt and target only if you add them: anyone who has the link, and any program that handles it, can read them.',
    text: 'Include prompt and target',
    picture: 'Include the picture',
    pictureTooLarge: 'Include the picture (too large for a link)',
    copy: 'Copy link',
  },
});

/** Figures and reports of a result. */
export const figuresWords = wordsFor('explain/figures', {
  partial: 'Partial result: not all sections were explained.',
  facts: {
    prompt: 'Prompt',
    target: 'Target',
    view: 'Influence on',
    model: 'Model',
    settings: 'Settings',
    scores: 'Scores',
    estimates: 'Estimates',
    sink: 'Attention sink',
    sent: 'Sent to',
  },
  sink: (section: string, nats: string) => `${section} (${nats} nats), in grey; colours and bars are scaled without it`,
  estimates: (estimated: string, all: string) =>
    `${estimated} of ${all} scores, marked by ≈ and a dotted line; nine in ten are within their margin; the CSV file lists the margins.`,
  picture: (name: string) => `the picture ${name}`,
  pictureAndText: (picture: string, text: string) => `${picture}, then ${text}`,
  cut: (shown: string, all: string) => `The strongest ${shown} of ${all} sections; the CSV file has them all.`,
  version: (model: string, version: string) => `${model}, version ${version}`,
  drawnWith: (model: string, program: string) => `${model}; drawn with ${program}`,
  scores: (change: 'rises' | 'falls', factor: string, least: string) =>
    `nats: how much the cross entropy of the target ${change} with the attention to a section ${factor}. Positive supports the target, negative opposes it; below ${least} there is no colour.`,
  scoresDeleted: (least: string) =>
    `nats: how much the cross entropy of the target rises when a section is deleted. Positive supports the target, negative opposes it; below ${least} there is no colour.`,
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
    deleted: 'each section deleted in turn',
    partial: 'partly covered tokens proportionally',
    complete: 'partly covered tokens fully',
    notSimilar: 'similar tokens not dimmed',
    similar: (cosine: string) => `similar tokens dimmed too, from a cosine of ${cosine} on`,
  },
  latexKey: (full: string, least: string) =>
    `Amber supports, blue opposes; full colour is ${full} nats, below ${least} nats there is none.`,
  report: {
    picture: 'Picture',
    pictureFirst: (name: string) => `${name}; it comes before the text.`,
    said: 'What the model itself says',
    tokens: ['Target token', 'Probability', 'Likeliest tokens here'],
    scores: 'All scores, nats, strongest first',
    columns: ['Section', 'Place', 'Whole target'],
    facts: ['What', 'Value'],
    request: 'The request, as the API has it',
    fields: ['Field', 'Value'],
    made: (program: string) => `Drawn with ${program}, in the browser.`,
  },
});

/** The effect of a change of a section. */
interface Effect {
  readonly section: string;
  /** Of the attention to it, unless it is deleted. */
  readonly change: 'deleted' | 'none' | 'less' | 'same' | 'more';
  /** The target. */
  readonly goal: string;
  /** How many times more or less likely; null for hardly any change. */
  readonly times: string | null;
  readonly isLess: boolean;
  readonly nats: string;
}

/** A section whose deletion contradicts its score. */
interface Contradicted extends Omit<Effect, 'goal' | 'times'> {
  readonly isSupport: boolean;
  readonly times: string;
}

/** A first section whose score misleads. */
interface Held extends Pick<Effect, 'section' | 'change' | 'goal'> {
  readonly nats: string;
}

const CAUSES = { deleted: 'Deleting', none: 'Ignoring', less: 'Dimming', same: 'Keeping', more: 'Strengthening' };
const STATES = { deleted: 'deleted', none: 'ignored', less: 'dimmed', same: 'unchanged', more: 'strengthened' };

/** The result of a question. */
export const resultWords = wordsFor('explain/result', {
  soFar: 'So far:',
  again: 'Explain again',
  /** @param isHere  the server is on the same device */
  sent: (place: string, isHere: boolean) =>
    `This left ${isHere ? 'the page' : 'your device'}: the prompt, whole and with sections deleted, was sent to ${place} with the target.`,
  estimates: {
    some: (estimated: string, all: string) =>
      `${estimated} of ${all} scores are estimates, marked by a dotted line. Nine in ten are within their margin (±).`,
    makeExact: 'Make all scores exact',
    none: 'All scores are exact: for this prompt and model, estimates would save no work.',
  },
  stopped: 'Stopped.',
  stale: {
    names: { prompt: 'the prompt', target: 'the target', settings: 'the settings', model: 'the model' },
    /** @param isOne  whether the one name stands for one thing */
    changed: (names: readonly string[], isOne: boolean) =>
      `This result is out of date: ${listText(names)} ${isOne ? 'has' : 'have'} changed.`,
    stopped: 'Stopped before all sections were explained.',
  },
  export: {
    button: 'Save or share',
    failed: 'Saving could not be loaded. Reload the page.',
    picture: 'Copy picture',
    drawing: 'Drawing …',
    pictureCopied: 'The picture with headline and heat map is copied.',
    pictureSaved: (name: string) => `The browser did not copy the picture; ${name} is saved instead.`,
    link: 'Copy link',
    linkCopied: (hasTarget: boolean, withoutPicture: boolean) =>
      `The link is copied. After # it holds your prompt${hasTarget ? ', your target' : ''} and the settings${withoutPicture ? ', not the picture' : ''}: anyone who has the link can read them. Browsers do not send this part to the server.`,
    linkRefused: 'The browser did not copy the link. ‘Save or share’ shows it.',
  },
  opening: {
    attention: (section: string, strength: string) => `Attention to ${section} ${strength}`,
    probability: (target: string, share: string) => `Probability of ${target}: ${share}`,
  },
  caption: {
    unchanged: { lead: 'A factor of 1 changes nothing.', detail: 'Every score is zero. Choose a smaller factor.' },
    empty: { lead: 'There is nothing to explain yet.', detail: 'The prompt has no sections of this kind.' },
    unexpected: (goal: string) => `The model does not expect ${goal}.`,
    rated: (share: string) => `It gives it a probability of ${share}.`,
    ratedPiece: (piece: string, share: string) => `It gives ${piece} ${share}.`,
    insteadBroken: 'It writes bytes that make up no readable text instead.',
    insteadEnds: 'It ends the text instead.',
    insteadSays: (text: string) => `It says ${text} instead.`,
    nothing: (goal: string) => `No single part of the prompt matters much for ${goal}.`,
    bothSupport: (a: string, b: string, goal: string) => `${a} and ${b} support ${goal} about equally.`,
    bothOppose: (a: string, b: string, goal: string) => `${a} and ${b} speak against ${goal} about equally.`,
    towardsAndAway: (top: string, other: string, goal: string) => `${top} pulls towards ${goal}, ${other} pulls away.`,
    awayAndTowards: (top: string, other: string, goal: string) =>
      `${top} pulls away from ${goal}, ${other} pulls towards it.`,
    reason: (top: string, goal: string) => `${top} is the main reason for ${goal}.`,
    /** @param line  null for a prompt of one line */
    comesFrom: (goal: string, source: string, line: string | null) =>
      line === null ? `${goal} comes from ${source}.` : `${goal} comes from line ${line}: ${source}.`,
    against: (top: string, goal: string) =>
      `${top} speaks most against ${goal}; no part of the prompt supports it much.`,
    effect: ({ section, change, goal, times, isLess, nats }: Effect) =>
      times === null
        ? `${CAUSES[change]} ${section} hardly changes how likely ${goal} is (${nats} nats).`
        : `${CAUSES[change]} ${section} makes ${goal} ${times} ${isLess ? 'less' : 'more'} likely (${nats} nats).`,
  },
  sink: {
    name: 'attention sink',
    holds: ({ section, change, nats }: Held) =>
      `${section} is an attention sink: when it is ${STATES[change]}, each later token of the prompt loses ${nats} nats on average, whatever it says.`,
    notNamed: ({ section, goal }: Pick<Held, 'section' | 'goal'>) =>
      `${section} is not named as a reason: deleting it changes ${goal} far less than its score says.`,
    lesson: 'What is an attention sink?',
  },
  deletion: {
    checking: 'Checking the strongest sections by deleting them',
    splitByWord: 'Split by word',
    dimInstead: 'Dim sections instead',
    agreesOne: 'Deleting the strongest section does not contradict its sign.',
    agrees: (count: string) => `Deleting each of the ${count} strongest sections contradicts none of their signs.`,
    contradicts: ({ section, isSupport, change, nats, times, isLess }: Contradicted) =>
      `${section} ${isSupport ? 'supports' : 'opposes'} the target when ${STATES[change]} (${nats} nats), but deleting it makes the target ${times} ${isLess ? 'less' : 'more'} likely.`,
  },
  own: {
    says: (words: string, share: string) => `The model itself says ${words} (${share}).`,
    writesBytes: (share: string) => `The model itself writes bytes that make up no readable text (${share}).`,
    ends: (share: string) => `The model itself ends the text here (${share}).`,
    bytes: 'bytes that make up no readable text',
    isTarget: (share: string) => `The target is its own choice (${share}).`,
    ratesTarget: (share: string) => `It gives the target a probability of ${share}.`,
    stepByStep:
      'It takes the likeliest token at each step, so what it says can be less likely than the target as a whole.',
    explainInstead: 'Explain what it says instead',
    alternatives: 'Likeliest tokens at each position',
    position: '{token} {share}; likeliest: {others}',
    part: '(part of a character)',
    partOf: (whole: string) => `part of ${whole}`,
  },
  heat: {
    prompt: 'Prompt by influence',
    picture: 'Picture by influence',
    table: 'Heat map as table',
    sectionKeys: (name: string) => `${name}. Arrow keys move between sections.`,
    tileKeys: (name: string) => `${name}. Arrow keys move between tiles.`,
    readout: 'Choose a word to see its score.',
    target: 'Influence on',
    whole: 'Whole target',
    opposes: 'opposes',
    supports: 'supports',
    unit: (least: string) => `nats; below ${least} no colour`,
    share: (least: string) => `share of the largest score; below ${least} no colour`,
    unitTurned: (least: string) => `nats; below ${least} no colour; sign reversed, because the factor is above 1`,
  },
  targets: {
    answer: 'The model answers',
    target: 'Target',
    label: 'Words of the text that is explained',
    choose: 'Press words to see what leads to them alone.',
    whole: 'Show the whole text',
  },
  reading: {
    withSpace: (target: string) => `${target} is read with a space before it, as the model expects.`,
    withoutSpace: (target: string) => `${target} is read without the space before it, as the model expects.`,
    exact: 'The target is read exactly as it is written.',
    asTyped: 'Read it as written',
    asExpected: 'Read it as the model expects',
  },
  bars: {
    title: 'Strongest sections{unit}',
    unit: ', nats',
    label: 'Strongest sections as bars',
    table: 'Bars as table',
    more: (count: string, most: string) => `${count} more up to ${most}`,
  },
  matrix: {
    title: 'By target word{unit}',
    unit: (full: string) => `, nats; full colour at ±${full}`,
    caption: 'Score in nats of each section for each target word',
    shares: 'Score of each section for each target word, as a share of the largest',
    section: 'Section',
    previous: 'Previous target tokens',
    order: 'Order of the rows',
    orders: { strength: 'Strongest first', text: 'Prompt order' },
    strongest: 'Show the strongest only',
    all: (count: number) => `Show all ${countText(count, { one: 'row', other: 'rows' })}`,
  },
  table: {
    section: 'Section',
    place: 'Place',
    scores: { none: 'Score, nats', absolute: 'Size of the score, nats', square: 'Square of the score, nats²' },
    shares: {
      none: 'Score, share of the largest',
      absolute: 'Size of the score, share of the largest',
      square: 'Square of the share of the largest score',
    },
    scaled: { none: 'Score, 0 to 1', absolute: 'Size of the score, 0 to 1', square: 'Square of the score, 0 to 1' },
  },
  variations: {
    whatIf: 'What if…',
    whatIfSection: (section: string) => `What if the attention to ${section} changes?`,
    faithfulness: 'Test this explanation',
    compare: 'Compare with…',
    failed: 'This part could not be loaded; reload to try again.',
    loading: 'Loading',
  },
});
