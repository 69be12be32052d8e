import { wordsOf } from '../spoken.ts';

/** The API page. */
export const API = {
  title: 'API',
  claim: 'Every operation over HTTP, answered by this tab.',
  request: {
    label: 'Request',
    operation: 'Operation',
    body: 'Body',
    reset: 'Reset',
    undo: 'Undo',
    invalid: (why: string) => `Invalid JSON: ${why}`,
    send: 'Send',
    cancel: 'Cancel',
  },
  /** What each operation is for. */
  does: {
    explain: 'How much each part of a prompt supports a target.',
    evaluate: 'How likely a completion is.',
    complete: 'Continues a prompt.',
    'chat/completions': 'Answers a dialogue. Needs a model with a chat template.',
    predict: 'What the model says itself, and how it rates a target.',
    lens: 'What the model would predict after each of its layers.',
    embed: 'Hidden states of any layer, pooled.',
    semantic_embed: 'The meaning of a text, as one vector.',
    batch_semantic_embed: 'The same for up to 100 texts.',
    qa: 'Answers from documents, with their evidence. Deprecated.',
    'model-settings': 'The models, and what they can do.',
    models_available: 'The same list for older clients.',
    version: 'The version of the service.',
    'openapi.json': 'All operations and their fields, as OpenAPI.',
  },
  response: {
    label: 'Response',
    idle: 'Press Send to see the response.',
    waiting: 'Waiting for the answer …',
    copy: 'Copy',
    body: 'Body of the answer',
    more: (count: string) => `… ${count} more`,
  },
  snippet: {
    label: 'The same request as code',
    title: 'From outside this page',
    language: 'Language',
    python: 'Python client',
    code: (language: string) => `The request in ${language}`,
    showToken: 'Show my token',
    copyCode: 'Copy with my token',
    copyToken: 'Copy token',
    noBridge: 'This address answers no programs. Start Lightwell on your own machine with {command}.',
  },
  transports: {
    label: 'Transports',
    page: 'This page',
    pageText: 'Always available in the console.',
    tabs: 'Tabs of this site',
    programs: 'Programs on this machine',
    serviceWorker: {
      absent: 'Not at this address: service workers need https or localhost.',
      starting: 'Service worker starting.',
      active: 'Service worker active.',
      failed: 'The service worker could not be started.',
    },
    bridge: {
      absent: 'Not at this address: start the page with npm start on your own machine.',
      connecting: 'Connecting to the server that sent this page.',
      connected: 'Connected: requests with the token of this browser reach this tab. Keep it open.',
    },
    states: { open: 'open', waiting: 'not yet open', closed: 'closed' },
  },
};

/** See `API`. */
export const apiWords = wordsOf('api', API);
