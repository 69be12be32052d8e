import { countText, type Plural, wordsFor } from '../../../words/language.ts';

const TOKENS: Plural = { one: 'token', other: 'tokens' };
const CHARACTERS: Plural = { one: 'character', other: 'characters' };

/** The question, and the text before its first outcome. */
export const promptWords = wordsFor('explain/prompt', {
  title: 'Explain',
  claim: 'Ask the model, and see which words of the prompt lead to its answer.',
  question: 'Question',
  linkUnreadable: (characters: string) =>
    `This link cannot be read: it is incomplete or damaged, or a text in it has more than ${characters} characters. Copy it again, in full.`,
  examples: {
    label: 'Examples',
    lead: 'Try:',
    names: {
      table: 'A table for two',
      birthplace: 'Where was Marta born?',
      key: 'The silver key',
      star: 'Where is the star?',
    },
    undo: 'Undo',
  },
  prompt: { label: 'Prompt', placeholder: 'A question, or the beginning of a text' },
  target: {
    label: 'Target',
    placeholder: 'Empty: the model’s own answer',
    fold: 'Explain another text than the model’s answer',
  },
  length: {
    empty: 'empty',
    picture: (tokens: number) => `a picture, ${countText(tokens, TOKENS)}`,
    text: (characters: number, tokens: number) =>
      `${countText(characters, CHARACTERS)}, about ${countText(tokens, TOKENS)}`,
    both: (characters: number, tokens: number) =>
      `a picture and ${countText(characters, CHARACTERS)}, about ${countText(tokens, TOKENS)}`,
    tooLong: (tokens: string, most: string) =>
      `Prompt and target have about ${tokens} tokens; this model reads up to ${most}.`,
    shorten: 'Shorten to its end',
    documents: 'Open in Documents',
    slow: 'A prompt of this length takes a while:',
    bySentence: 'Split by sentence',
    quick: 'Estimate small scores',
    /** @param cost  null where no price is known */
    requests: (requests: string, host: string, tokens: string, cost: string | null) =>
      `An explanation sends about ${requests} requests with ${tokens} tokens to ${host}${cost === null ? '' : `, which cost about ${cost}`}.`,
  },
  picture: {
    add: '{button} or paste or drop one here',
    addButton: 'Add a picture…',
    anotherButton: 'Another picture…',
    about: 'The model reads it first, then the text. It sees the square in the middle.',
    remove: 'Remove the picture',
    wrongType: (type: string) => `Expected a PNG, JPEG or WebP file, got ${type}.`,
    unknownType: 'Expected a PNG, JPEG or WebP file, got a file of no known type.',
    undecodable: (name: string) => `‘${name}’ cannot be decoded as a picture.`,
  },
  /** Why a dropped file is refused. */
  drop: {
    several: 'Drop one file at a time.',
    noPictures: (model: string) => `The model ${model} cannot read pictures.`,
    tooLarge: (name: string, most: string) =>
      `‘${name}’ is too large: the prompt accepts up to ${most} characters at a time.`,
    noText: (name: string) => `‘${name}’ is neither text nor a picture: the prompt accepts text, PNG, JPEG and WebP.`,
  },
  run: {
    explain: 'Ask',
    cancel: 'Cancel',
    missing: { prompt: 'Enter a prompt.', delimiter: 'Enter a delimiter.' },
    share: 'Explanation',
    sections: (done: string, total: string) => `${done} of ${total} sections`,
    waiting: (state: string) => `Waiting for the model: ${state}`,
    starting: 'Starting',
    spokenStart: 'Explaining',
    spokenShare: (percent: string) => `${percent} percent explained`,
  },
  comparisonFailed: 'This part could not be loaded; reload to try again.',
  result: {
    label: 'Result',
    failed: 'The result could not be shown; reload to try again.',
    stopped: 'Stopped before the first result.',
    lead: (target: string) => `What pushes the model towards ‘${target}’?`,
    leadToAnswer: 'What does the model answer, and why?',
    writes: 'The model writes',
    steps: [
      'The model reads the prompt and writes its answer.',
      'Then each part of the prompt in turn is dimmed: the model pays less attention to it.',
      'The less likely the answer becomes without a part, the more that part leads to it.',
    ],
    /** Instead of the second step. */
    deletes: (place: string) => `Then each part of the prompt in turn is deleted. All this is sent to ${place}.`,
  },
});

/** The settings outside the fold. */
export const questionSettingsWords = wordsFor('explain/settings', {
  granularities: {
    auto: 'Auto',
    token: 'Token',
    word: 'Word',
    sentence: 'Sentence',
    paragraph: 'Paragraph',
    custom: 'Custom',
  },
  autoHint: 'Picks the split closest to 30 parts.',
  delimiterExample: 'such as ### or \\n',
  /** Below the stops of the slider that they name. */
  marks: { none: '0 = ignored', one: '1 = unchanged' },
  more: 'More settings',
  moreFailed: 'The settings could not be loaded. Reload to try again.',
});
