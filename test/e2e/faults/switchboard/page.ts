import type { Service } from '../../../../src/service/service.ts';
import type { Asked, Ended } from '../faults.ts';
import { watchAllocations } from './allocations.ts';
import { arm, board, createMemory, get, sessions, sites } from './board.ts';
import { watchPictures } from './pictures.ts';
import { watchRequests } from './requests.ts';
import { watchStorage } from './storage.ts';
import { openSockets, watchTransports } from './transports.ts';
import { liveWorkers, watchWorkers } from './workers.ts';
import { trustScriptsIn } from '../../../../src/protocol/page/script-urls.ts';

/** Comes before all other scripts of a page in the test build, so that its seams can fail. */
board.memory = createMemory();
const { armedFirst } = globalThis;
if (armedFirst) arm(armedFirst.fault, armedFirst.at, armedFirst.lasting);
watchWorkers();

// The application trusts its own folder; the bare page that services are tried in has no application.
if (document.title === 'Faults') trustScriptsIn(new URL('./', location.href).href);
watchAllocations();
watchRequests();
watchPictures();
watchStorage();
watchTransports();

const PAGE_BYTES = 65_536;

/** A worker that ends before it holds its lock is noticed by its silence; after a minute in the product. */
const SILENCE_MS = 15_000;

let service: Service | null = null;

globalThis.faults = {
  arm,
  sites,
  hasFired: () => get('fired') === 1,
  async held() {
    const { held = [] } = await navigator.locks.query();
    return {
      workers: liveWorkers(),
      sessions: sessions(),
      sockets: openSockets(),
      locks: held.length,
      megabytes: (get('memoryPages') * PAGE_BYTES) / 2 ** 20,
    };
  },
  async open() {
    const address = '/lightwell.js'; // the built library, which the bundler must not look for
    const { createService } = await import(/* @vite-ignore */ address);
    service?.dispose();
    service = createService({ preload: false, storage: localStorage, workers: { silenceMs: SILENCE_MS } });
  },
  describe: (hangsMs) => within(hangsMs, endOf('/openapi.json', {})),
  ask: ({ path, ...asked }, hangsMs) => within(hangsMs, endOf(path, initOf(asked))),
  askServiceWorker: ({ path, ...asked }, hangsMs) =>
    within(hangsMs, endOf(`/api${path}`, initOf(asked), globalThis.fetch.bind(globalThis))),
  close() {
    service?.dispose();
    service = null;
  },
};

/** The service of this page: the harness's own, or the app's. */
function current(): Service {
  return service ?? globalThis.lightwell;
}

function initOf({ body, accept }: Omit<Asked, 'path'>): RequestInit {
  const headers = { Authorization: `Bearer ${current().token}`, 'Content-Type': 'application/json', Accept: accept };
  return { method: 'POST', headers, body };
}

async function endOf(path: string, init: RequestInit, fetch: Service['fetch'] = current().fetch): Promise<Ended> {
  try {
    const response = await fetch(path, init);
    const text = await response.text();
    return { kind: 'answered', status: response.status, headers: Object.fromEntries(response.headers), text };
  } catch (error) {
    return { kind: 'rejected', reason: String(error) };
  }
}

function within(hangsMs: number, ending: Promise<Ended>): Promise<Ended> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Ended>((resolve) => (timer = setTimeout(() => resolve({ kind: 'hung' }), hangsMs)));
  return Promise.race([ending, late]).finally(() => clearTimeout(timer));
}
