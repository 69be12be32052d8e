import { wordsFor } from '../../words/language.ts';

/** The settings page. */
export const settingsWords = wordsFor('settings', {
  title: 'Settings',
  claim: 'Changes apply to the next request.',

  page: {
    title: 'Page',
    about: 'What this page looks like on this device.',
    language: 'Language',
    system: (name: string) => `As in the browser (${name})`,
    languageFailed: 'This language could not be loaded. Check the connection and choose it again.',
  },
  models: {
    title: 'Models',
    about: 'Defaults for requests that name no model, and aliases for existing code.',
    uses: { explain: 'Explain page', semantic_embed: 'Semantic embeddings', qa: 'Questions and answers' },
    cards: 'Cards: {cards}',
  },

  aliases: {
    title: 'Model aliases',
    about: 'Existing code can keep its model names. A response names the model that ran.',
    remove: 'Remove',
    removeOne: (name: string) => `Remove ${name}`,
    isLocal: (name: string) => `‘${name}’ is the name of a local model.`,
    length: 'A model name has 1 to 200 characters.',
    alias: 'Model alias',
    example: 'such as luminous-base',
    local: 'Local model',
    add: 'Add',
    addHosted: 'Add the hosted service’s names',
    hostedHint: 'Each name then selects the default model of each operation.',
    forUse: (use: string, name: string) => `${use}: ${name}`,
  },
  service: {
    title: 'Service',
    about: 'Limits of requests.',
    operator: 'Operator name',
    operatorHint: 'Accepted in the hosting field, besides null and “operator”.',
    operatorWrong: 'Operator name: 1 to 100 characters.',
    queue: 'Queue length',
    queueHint: '1 to 10,000 requests may wait. One more returns 503 and may be sent again.',
    queueWrong: 'Queue length: a whole number from 1 to 10,000.',
  },

  hub: {
    label: 'Address of the hub',
    hint: 'Where models are fetched from when you request one: https://huggingface.co or a mirror of it.',
    wrong: 'Address of the hub: https, or http on this computer, without a slash at its end.',
  },
  device: {
    title: 'Device',
    about: 'What models run on. Automatic: measured for each model.',
    backend: 'Backend',
    backends: { auto: 'Automatic', webgpu: 'WebGPU', wasm: 'WebAssembly' },
    threads: 'Threads of WebAssembly',
    loading: (model: string) => `${model} is loading.`,
    failed: (model: string, why: string) => `${model} cannot be loaded: ${why}`,
    runsOn: (model: string, backend: string, why: string) => `${model} runs on ${backend}: ${why}`,
  },
  access: {
    title: 'Access',
    about: 'Programs on this computer reach this tab through the local server; each request needs the token.',
    origins: 'Allowed origins',
    originsHint: 'One origin per line, such as https://notebook.example. The browser blocks pages of any other origin.',
    originsMany: 'At most 100 origins.',
    originsWrong: (line: string) => `‘${line}’ is not an origin such as https://notebook.example.`,
  },
  token: {
    label: 'Token',
    hint: 'Sent as “Authorization: Bearer …”. It never leaves this browser by itself; the local server gets its hash.',
    show: 'Show',
    hide: 'Hide',
    copy: 'Copy',
    replace: 'Replace…',
    replaced: 'Replaced',
    replaceTitle: 'Replace the token',
    replaceWarning: 'Programs that use the old token will be refused.',
    replaceNow: 'Replace token',
    cancel: 'Cancel',
  },
});
