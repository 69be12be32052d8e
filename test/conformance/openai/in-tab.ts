import { openAiClient, outcomeOf } from './client.ts';

const baseURL = `${location.origin}/v1`;
const apiKey = lightwell.token;

/** The official client in a tab. */
const inTab = {
  /** Answered by the page's function. */
  ofPage: openAiClient({ baseURL, apiKey, fetch: (input, init) => lightwell.fetch(input, init) }),
  /** With the browser's own `fetch`, which the service worker answers. */
  ofServiceWorker: openAiClient({ baseURL, apiKey }),
  outcomeOf,
};

declare global {
  var openAiInTab: typeof inTab;
}

globalThis.openAiInTab = inTab;
