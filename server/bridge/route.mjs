// @ts-check
import { ask } from './ask.mjs';
import { complete, refuse } from './reply.mjs';

/**
 * The tabs that one request is shown to, one after another.
 *
 * @typedef {import('./reply.mjs').Refusal} Refusal
 * @typedef {Extract<import('./ask.mjs').Outcome, { kind: 'answered' }>} Answered
 */

/** After the loss of this many tabs a request is given up: it may be what breaks them. */
const MAX_LOST = 2;

/**
 * Settles `response` in any case: with the answer of a tab, else with the reason why there is none. A request is sent again
 * only when no tab has begun to answer it; every operation of the contract may be repeated.
 *
 * @param {import('./ask.mjs').Asked} asked
 * @param {import('node:http').ServerResponse} response
 * @param {{ tabsInOrder: () => import('./tabs.mjs').Tab[], patience: import('./ask.mjs').Patience, pageUrl: string }} way
 */
export async function route(asked, response, { tabsInOrder, patience, pageUrl }) {
  const tried = new Set();
  let lost = 0;
  let unauthorized = /** @type {Answered | null} */ (null);
  let failure = noTab(`No tab is there to answer: open ${pageUrl} in a browser and leave it open.`);
  while (lost < MAX_LOST) {
    const tab = tabsInOrder().find((each) => !tried.has(each));
    if (tab === undefined) break;
    tried.add(tab);
    const outcome = await ask(tab, asked, response, patience);
    switch (outcome.kind) {
      case 'answered':
        // Another browser's tab has another token: one stranger is not the last word.
        if (outcome.head.status !== 401) return complete(response, outcome.head, outcome.body);
        unauthorized = outcome;
        break;
      case 'lost':
        lost += 1;
        failure = outcome.refusal;
        break;
      case 'silent':
        failure = noTab(`The open tab does not react: look at it, or open ${pageUrl} in another.`);
        break;
      case 'late':
      case 'broken':
        return refuse(response, outcome.refusal);
      default:
        return undefined; // sent as far as it went, or nobody is there to hear
    }
  }
  if (unauthorized !== null) return complete(response, unauthorized.head, unauthorized.body);
  return refuse(response, failure);
}

/**
 * @param {string} message
 * @returns {Refusal}
 */
function noTab(message) {
  return { code: 'NO_TAB', message };
}
