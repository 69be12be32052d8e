/** For what must ask nothing: every call fails. */
export const notAsked = (): Promise<never> => Promise.reject(new Error('not asked'));

/** A client of a page on which nothing is asked. */
export const SILENT_CLIENT = {
  batchSemanticEmbed: notAsked,
  chat: notAsked,
  complete: notAsked,
  embed: notAsked,
  evaluate: notAsked,
  explain: notAsked,
  lens: notAsked,
  predict: notAsked,
  modelSettings: notAsked,
  qa: notAsked,
  rerank: notAsked,
  semanticEmbed: notAsked,
  steeringConcepts: notAsked,
};

/** Where nobody brings a model. */
export const NO_HOME = { addFolder: notAsked, removeModel: () => undefined, deviceOf: notAsked, lastUses: () => ({}) };

/** Options of the stores of such a page: no model has facts, and nothing outside is reached. */
export const SILENT_OPTIONS = {
  client: SILENT_CLIENT,
  loadedSource: { client: SILENT_CLIENT, model: 'm' },
  call: notAsked,
  privacy: { origin: '', watchRequests: notAsked, listStorage: notAsked, clear: notAsked },
  modelFacts: [],
  home: NO_HOME,
  readText: notAsked,
  retryModel: () => undefined,
  engineSource: { offer: async () => null, check: notAsked, connectUpstream: notAsked },
};

/** Facts of a small model `m`. */
export const MODEL_FACTS = {
  name: 'm',
  version: 'm 1',
  description: '',
  contextTokens: 8,
  readsImages: false,
  writes: true,
  tier: 'steered',
  reason: null,
  upstream: null,
  hashes: null,
  weights: null,
  folder: '/models/m/',
  state: 105,
  card: '/models/m/README.md',
} as const;

/** What was measured of it: attention is multiplied by 0.1, and there is no attention sink. */
export const CALIBRATION = {
  factor: 0.1,
  hidden: 0.5,
  dimmed: 0.7,
  lossDimmed: 0,
  lossDeleted: 0,
  delimiterDimmed: 0,
  delimiterDeleted: 0,
  state: 105,
};
