import { countText, wordsFor } from '../../words/language.ts';

/** Texts of the Models page. */
export const modelsWords = wordsFor('models', {
  title: 'Models',
  claim: 'Training data, quality and limitations of each model.',
  list: 'Models',
  /** In place of the description that a model has of itself, by its name. */
  descriptions: {} as Readonly<Record<string, string>>,
  readsText: (tokens: string) => `reads text, up to ${tokens} tokens`,
  readsPictures: (tokens: string) => `reads text and pictures, up to ${tokens} tokens`,
  weights: {
    title: 'Weights',
    takes: (size: string, memory: string) => `${size}, about ${memory} of memory while it is in use`,
  },
  writing: {
    title: 'Try it',
    prompt: 'Text',
    write: 'Continue the text',
    ends: {
      itself: 'The model ends its text here.',
      limit: (tokens: number) =>
        `Stopped after ${countText(tokens, { one: 'token', other: 'tokens' })}. Each is the likeliest one, so a text may repeat itself.`,
    },
  },
  calibration: {
    none: 'How explanations of this model agree best with deletion is measured in the background after its first explanation.',
    depends: (dimmed: string, deleted: string) =>
      `This model depends on its first token: each later token loses ${dimmed} nats on average when the first word is dimmed, and ${deleted} nats when it is deleted.`,
    independent: (dimmed: string, deleted: string) =>
      `This model does not depend on its first token: each later token loses ${dimmed} nats on average when the first word is dimmed, and ${deleted} nats when it is deleted.`,
    delimiter: (dimmed: string, deleted: string) =>
      `It depends on the first full stop or line end too: ${dimmed} nats when dimmed, ${deleted} when deleted.`,
    hides: (hidden: string, dimmed: string) =>
      `Explanations hide words: the rank correlation with deletion is ${hidden}, and ${dimmed} when attention is multiplied by 0.1.`,
    dims: (hidden: string, dimmed: string) =>
      `Explanations multiply attention by 0.1: the rank correlation with deletion is ${dimmed}, and ${hidden} when words are hidden.`,
    again: 'Measure again',
  },
  unknown: (name: string) => `No model named ‘${name}’.`,
  loading: (name: string) => `Fetching the card of ${name}`,
  failed: (why: string) => `The card could not be fetched: ${why}`,
  tryAgain: 'Try again',
  hub: {
    title: 'From the Hugging Face hub',
    about: (hub: string) =>
      `Asks ${hub} for the model that you name. The hub learns your network address and the names of the files, and nothing that you type elsewhere. You can enter a mirror in Settings.`,
    id: 'Model',
    example: 'owner/name',
    revision: 'Revision',
    subfolder: 'Folder in the repository',
    dtype: 'Weights',
    automatic: 'Automatic, by size',
    token: 'Access token',
    tokenHint: 'For gated models. It is sent to the hub, and gone when this page is closed.',
    more: 'Revision, folder, access token',
    ask: 'Look up',
    asking: (id: string) => `Asking for ${id}`,
    found: {
      size: 'Size',
      dtype: 'Weights',
      memory: 'Memory',
      aboutMemory: (size: string) => `about ${size} while it is in use`,
      licence: 'Licence',
      noLicence: 'none stated',
      commit: 'Commit',
      use: 'Use here',
      why: (reason: string) => `Reason: ${reason}`,
      free: (free: string) => `${free} are free for this page.`,
      agree: (size: string, licence: string) => `Fetch ${size} under ${licence}`,
      agreeWithout: (size: string) => `Fetch ${size}`,
    },
    fetches: {
      label: (name: string) => `Fetching ${name}`,
      running: (done: string, total: string) => `${done} of ${total}`,
      speed: (size: string) => `${size} per second`,
      left: (time: string) => `${time} left`,
      checking: 'Comparing the files with the hub’s checksums',
      comesWhole: 'This host cannot send parts of files: an interrupted file starts again from the beginning.',
      waiting: 'The network or the hub is not answering; trying again',
      paused: (done: string, total: string) => `Paused at ${done} of ${total}`,
      elsewhere: 'Another tab is fetching this model.',
      files: 'Files',
      pause: 'Pause',
      resume: 'Resume',
      cancel: 'Cancel',
      ofOne: (action: string, name: string) => `${action}: ${name}`,
    },
    problems: {
      address: 'This is not the name of a model. Write owner/name.',
      unreachable: 'The hub could not be reached. Check the connection, or the hub’s address in Settings.',
      token:
        'The hub asks for an access token, or there is no such model. Create a token on the hub’s site and enter it here.',
      terms:
        'The hub does not give you access to this model. Accept its terms on the hub’s site, and use a token of the same account.',
      absent: 'The hub has no such model, revision or file.',
      busy: 'The hub is busy. Try again later.',
      wrong: 'The download is not the file of the model, and it was not stored.',
      space: 'There is not enough space. Delete models, or free space on the device.',
      other: 'This did not work.',
    },
  },
  local: {
    tiers: {
      steered: 'Runs with explanations and controls.',
      as_exported: 'Runs without explanations and controls.',
      refused: 'Cannot be used.',
    },
    ofServer: 'Is explained by deleting parts of the prompt.',
    why: (reason: string) => `Reason: ${reason}`,
    noCard: 'The folder of this model has no README.md.',
  },
  own: {
    summary: 'Add a model',
    folder: {
      title: 'From this device',
      about:
        'A folder as the Hugging Face hub has it: config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. It is read here and sent nowhere.',
      drop: 'Drop a folder on this page, or:',
      pick: 'Choose a folder…',
      reading: 'Reading the folder',
      done: (names: string) => `Listed: ${names}.`,
      nothing: 'Nothing was opened: none of these folders has a config.json.',
      failed: (why: string) => `The folder could not be opened: ${why}`,
    },
    kept: {
      title: 'Your models',
      about: 'Models that you have added. Those that are stored on this device also open without a network.',
      none: 'You have not added any yet.',
      table: 'Your models',
      used: 'Last used',
      never: 'not yet',
      isKept: 'Stored',
      isNot: 'Until this page is closed',
      copying: (share: string) => `Copying: ${share}`,
      keep: 'Store on this device',
      keepOne: (name: string) => `Store ${name} on this device`,
      remove: 'Delete',
      removeOne: (name: string) => `Delete ${name}`,
      from: (hub: string, commit: string) => `${hub}, commit ${commit}`,
      space: (used: string, free: string) => `The browser uses ${used} for this address; ${free} are free.`,
      problem: (why: string) => `Problem: ${why}`,
    },
  },
  presets: {
    summary: 'Models to start with',
    about:
      'Models of the hub, by what they do. “Should run” is inferred from a network of the same family with random weights. Look a model up to see its current files.',
    tasks: {
      write: 'Writing and explanations',
      embed: 'Embeddings',
      read: 'Answers from a text',
      see: 'Pictures',
    },
    licence: 'Licence',
    size: 'Size by weight type',
    memory: 'Memory',
    use: 'Should run',
    untried: 'Never opened from the hub by this project',
    asked: 'not known yet',
    ask: (name: string) => `Look up ${name}`,
    aboutSize: (size: string) => `about ${size}`,
  },
});
