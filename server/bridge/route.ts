import type { ServerResponse } from 'node:http';
import type { Failure } from '../../src/contract/failure.ts';
import { ask, type Patience } from './ask.ts';
import type { Asked, Tab } from './tab.ts';
import { complete, refuse } from './reply.ts';

/** What a request may be shown to. */
export interface Way {
  readonly tabsInOrder: () => readonly Tab[];
  readonly patience: Patience;
  /** What to open in a browser when there is no tab. */
  readonly pageUrl: string;
}

/** After the loss of this many tabs a request is given up: it may be what breaks them. */
const MAX_LOST = 2;

/**
 * Shows a request to the tabs that it is for, one after another. Settles `response` in any case: with the answer of a
 * tab, else with the reason why there is none. A request is sent again only when no tab has begun to answer it; every
 * operation of the contract may be repeated.
 */
export async function route(
  asked: Asked,
  response: ServerResponse,
  { tabsInOrder, patience, pageUrl }: Way,
): Promise<void> {
  const tried = new Set<Tab>();
  let lost = 0;
  let failure = noTab(pageUrl);
  while (lost < MAX_LOST) {
    const tab = tabsInOrder().find((each) => !tried.has(each));
    if (tab === undefined) break;
    tried.add(tab);
    if (tab.isFull) {
      failure = { code: 'QUEUE_FULL', message: 'The open tab has too many requests to answer. Try again later.' };
      continue;
    }
    const outcome = await ask(tab, asked, response, patience);
    switch (outcome.kind) {
      case 'answered':
        return complete(response, outcome.head, outcome.body);
      case 'lost':
        lost += 1;
        failure = outcome.failure;
        break;
      case 'silent':
        failure = {
          code: 'NO_TAB',
          message: `The open tab does not react: look at it, or open ${pageUrl} in another.`,
        };
        break;
      case 'late':
      case 'broken':
        return refuse(response, outcome.failure);
      case 'streamed':
      case 'left':
        return; // sent as far as it went, or nobody is there to hear
    }
  }
  return refuse(response, failure);
}

/** What a client hears that no tab of the page is connected for. */
export function noTab(pageUrl: string): Failure {
  return { code: 'NO_TAB', message: `No tab is there to answer: open ${pageUrl} in a browser and leave it open.` };
}
