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
  qa: notAsked,
  semanticEmbed: notAsked,
};

/** Where nobody brings a model. */
export const NO_HOME = { addFolder: notAsked, removeModel: () => undefined, deviceOf: notAsked, lastUses: () => ({}) };
