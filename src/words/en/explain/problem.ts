import { wordsOf } from '../../spoken.ts';

/** What goes wrong on the Explain page, by its field or for the request as a whole. */
export const PROBLEM = {
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
    noPictures: 'This model reads no pictures. Remove the picture, or choose another model.',
    largePicture: (most: string) => `The picture is too large: at most ${most} pixels.`,
    damagedPicture: 'The picture is damaged. Remove it, or choose another one.',
    strongControls: (most: string) => `Attention strengths on one word multiply to at most ${most}.`,
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
    noAnswer: (seconds: string) => `No answer within the time-out of ${seconds} s, which More settings has.`,
    noMemory: 'There is not enough memory for the model at present.',
    littleMemory: (tokens: string) => `At present this device has memory for about ${tokens} tokens.`,
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
    DEVICE_LOST: { title: 'The device stopped', step: 'The model restarts. Try again.' },
    OUT_OF_MEMORY: {
      title: 'The device lacks memory',
      step: 'Shorten the prompt, or close other pages and programs.',
    },
    MODEL_UNAVAILABLE: {
      title: 'The model could not be loaded',
      step: 'Its files come from this site. Try again.',
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
};

/** See `PROBLEM`. */
export const problemWords = wordsOf('explain/problem', PROBLEM);
