import { wordsOf } from '../../spoken.ts';

/** What the Models page says of models that somebody brings from this device. */
export const OWN_MODELS = {
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
    about: 'Models that you have added. What is kept on this device opens again without a network.',
    none: 'You have not added any yet.',
    table: 'Your models',
    name: 'Name',
    size: 'Size',
    used: 'Last used',
    never: 'not yet',
    state: 'On this device',
    isKept: 'Kept',
    isNot: 'Until this page is closed',
    copying: (share: string) => `Copying: ${share}`,
    keep: 'Keep on this device',
    keepOne: (name: string) => `Keep ${name} on this device`,
    remove: 'Delete',
    removeOne: (name: string) => `Delete ${name}`,
    from: (hub: string, commit: string) => `${hub}, commit ${commit}`,
    space: (used: string, free: string) => `The browser uses ${used} for this address; ${free} are free.`,
    problem: (why: string) => `Problem: ${why}`,
  },
};

/** See `OWN_MODELS`. */
export const ownModelsWords = wordsOf('models/own', OWN_MODELS);
