import { wordsFor } from '../words/language.ts';

/** What goes wrong on the Explain page, by its field or for the request as a whole. */
export const problemWords = wordsFor('explain/problem', {
  tryAgain: 'Try again',
  fields: {
    prompt: 'Prompt',
    target: 'Target',
    granularity: 'Split prompt by',
    delimiter: 'Split at',
    factor: 'Attention strength',
    scaling: 'How attention is scaled',
    overlap: 'Partly covered tokens',
    similarity: 'Also dim similar tokens',
    'target-parts': 'Explain the target',
    model: 'Model',
  },
  wrong: {
    enter: (label: string) => `Enter a ${label.toLowerCase()}.`,
    noCharacter: (label: string) => `${label}: enter at least one character.`,
    damagedText: (label: string) =>
      `${label}: one character is damaged (half of a surrogate pair). Delete it, or paste the text again.`,
    noPictures: 'This model cannot read pictures. Remove the picture, or choose another model.',
    largePicture: (most: string) => `The picture is too large: at most ${most} pixels.`,
    damagedPicture: 'The picture is damaged. Remove it, or choose another one.',
    unknownModel: (name: string) => `No model named ‘${name}’.`,
    cannotExplain: 'This model cannot explain. Choose another one.',
    notTaken: (label: string) => `${label}: this value is not accepted. Choose another one.`,
    /** Subjects of `tooLong`. */
    subjects: { prompt: 'The prompt has', target: 'The target has', both: 'Prompt and target have' },
    tooLong: (subject: string, tokens: string, most: string) =>
      `${subject} about ${tokens} tokens; this model reads up to ${most}.`,
    muchTooLong: (subject: string, tokens: string, most: string) =>
      `${subject} at least ${tokens} tokens; this model reads up to ${most}.`,
  },
  /** In place of what the service says of itself. */
  messages: {
    noAnswer: (seconds: string) => `No answer within the time-out of ${seconds} s. You can change it in More settings.`,
    noMemory: 'There is currently not enough memory for the model.',
    littleMemory: (tokens: string) => `This device currently has memory for about ${tokens} tokens.`,
  },
  /** What went wrong and what to do, by the code of the problem. */
  steps: {
    PAYLOAD_ERROR: { title: 'The request was not understood', step: 'Check the settings, then ask again.' },
    INVALID_REQUEST: {
      title: 'The request cannot be carried out',
      step: 'Change the prompt or a setting, then ask again.',
    },
    PROMPT_TOO_LONG: {
      title: 'The prompt is too long',
      step: 'Shorten the prompt or the target: both must fit the model’s context.',
    },
    MISSING_CAPABILITY: {
      title: 'This model cannot do that',
      step: 'Remove the picture, if there is one, or choose another model.',
    },
    UNKNOWN_MODEL: { title: 'Unknown model', step: 'Reload the page to see the models that it has.' },
    UNAUTHORIZED: {
      title: 'The access token was not accepted',
      step: 'Reload the page to use its current token.',
    },
    TIMEOUT: {
      title: 'The answer took too long',
      step: 'Ask again, choose larger sections, or raise the time-out.',
    },
    QUEUE_FULL: {
      title: 'Too many requests are waiting',
      step: 'Let the running requests finish, then ask again.',
    },
    NO_ANSWER: {
      title: 'The model gives no answer here',
      step: 'It writes no readable word after this prompt. Change the prompt, or explain another text.',
    },
    DEVICE_LOST: { title: 'The device stopped', step: 'The model restarts. Try again.' },
    OUT_OF_MEMORY: {
      title: 'The device lacks memory',
      step: 'Shorten the prompt, or close other pages and programs.',
    },
    MODEL_UNAVAILABLE: {
      title: 'The model could not be loaded',
      step: 'Try again, or choose another model.',
    },
    ENGINE_UNAVAILABLE: {
      title: 'The remote engine does not answer',
      step: 'Try again, or let this device take over: Settings, Remote engine.',
    },
    NO_WEBASSEMBLY: {
      title: 'WebAssembly is switched off',
      step: 'Models run on it. Allow it for this site, for example in the settings for Lockdown Mode in Safari or for enhanced security in Edge; then reload the page.',
    },
    CONNECTION: { title: 'No answer came', step: 'Ask again; if it happens twice, reload the page.' },
    INTERNAL: { title: 'Internal error', step: 'Ask again; if it happens twice, reload the page.' },
  },
  unknown: { title: 'Something went wrong', step: 'Ask again; if it happens twice, reload the page.' },
});

/** How the model runs, in a few words. */
export const modelStatusWords = wordsFor('model-status', {
  loadingLong: (state: string) => `The model is loading into the page: ${state}.`,
  loading: 'loading',
  loadingShare: (percent: string) => `loading ${percent} %`,
  reading: 'reading',
  readingBytes: (done: string, total: string) => `reading ${done} of ${total}`,
  opening: 'opening',
  testing: 'testing',
  left: (seconds: string) => `about ${seconds} s left`,
  failed: 'not running',
  threads: { one: 'thread', other: 'threads' },
});

/** What the pages say in place of "on your device" while models may run elsewhere. */
export const engineWords = wordsFor('models/engine', {
  short: (host: string) => `Also uses ${host}`,
  long: (models: string, address: string) =>
    `${models}: computed at ${address}. What you enter for these models leaves this device. Other models run inside this page. Open to check.`,
  badge: (place: string) => `Computed at ${place}`,
});

/** Elements that several pages have. */
export const partsWords = wordsFor('parts', {
  copied: 'Copied',
  copyBlocked: 'Copy blocked by the browser',
  enterKeys: { apple: '⌘ Return', other: 'Ctrl Enter' },
  more: (count: string) => `${count} more`,
  seconds: { one: 'second', other: 'seconds' },
  atLeast: (label: string, amount: string) => `${label}: at least ${amount}.`,
  atMost: (label: string, amount: string) => `${label}: at most ${amount}.`,
  pasteTooLong: (got: string, most: string) =>
    `That text has ${got} characters; this field accepts ${most} at a time. Paste the part that matters.`,
});
