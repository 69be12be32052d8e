import { wordsOf } from '../../spoken.ts';

/** The settings of a remote engine, and what the pages say in place of "on your device" while one is in use. */
export const ENGINE = {
  title: 'Remote engine',
  about: 'Large models on an inference server. Off until you turn it on.',
  none: 'Start the local server with --engine and --engine-models to name one.',
  address: 'Engine address',
  addressHint: 'Must be the one that the local server was started with.',
  addressOffered: (address: string) => `The local server was started with ${address}.`,
  addressWrong: 'Enter an address such as https://engine.example.',
  take: (address: string) => `Use ${address}`,
  model: (name: string) => `${name} stands for`,
  onlyHere: 'No model: runs here',
  use: 'Requests that allow other machines (hosting is null)',
  uses: { off: 'Run here', on: 'May run on the engine' },
  useHint:
    'What you enter for these models then leaves this device. A request that names the operator always runs here.',
  away: 'If the engine does not answer',
  awayChoices: { fail: 'Return 503', here: 'Run here' },
  connect: 'Connect and check',
  checking: 'Checking …',
  verified: (model: string, reason: string) => `${model} is verified: ${reason}`,
  refused: (model: string, reason: string) => `${model} is refused: ${reason}`,
  noModels: 'Choose a model of the engine first.',
  /** Said while an engine may run some models. */
  inUse: {
    short: (host: string) => `Also uses ${host}`,
    long: (models: string, address: string) =>
      `${models}: computed at ${address}. What you enter for these models leaves this device. Other models run inside this page. Open to check.`,
    privacy: (models: string, address: string) =>
      `Models run on your device, except ${models}: what you enter for these is sent to ${address}.`,
    documents: (host: string) =>
      `Files are read on your device and not stored: they are gone when you close this tab. Models at ${host} are sent what they answer from.`,
    meaning: (host: string) =>
      `Comments, notes, answers, titles: up to 20,000 of them. Models at ${host} are sent the texts.`,
    learn: (host: string) => `Models at ${host} are sent the questions that they explain.`,
    requests: (host: string) =>
      `Browsers list addresses and sizes, not what was sent. This page sends requests to this address only; the local server passes those below api/engine/ on to ${host}.`,
    badge: (place: string) => `Computed at ${place}`,
  },
};

/** See `ENGINE`. */
export const engineWords = wordsOf('models/engine', ENGINE);
