import { wordsOf } from '../../spoken.ts';

/** What the Models page says of fetching models from a hub. */
export const HUB = {
  title: 'From the Hugging Face hub',
  about: (hub: string) =>
    `Asks ${hub} for the model that you name. The hub learns your network address and the names of the files; nothing that you type elsewhere. Settings can name a mirror.`,
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
    comesWhole: 'This host sends no parts of files: a file that is broken off begins again.',
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
      'The hub refuses this model to you. Accept its terms on the hub’s site, and use a token of the same account.',
    absent: 'The hub has no such model, revision or file.',
    busy: 'The hub is busy. Try again later.',
    wrong: 'What came is not the model’s file; it was not kept.',
    space: 'There is not enough room. Delete models, or free space on the device.',
    other: 'This did not work.',
  },
};

/** See `HUB`. */
export const hubWords = wordsOf('models/hub', HUB);
