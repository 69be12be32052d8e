import { ENGINE_PATH } from '../src/contract/wire/engine.ts';
import { ISOLATE_PARAMETER } from '../src/protocol/page/headers.ts';
import type { Tab } from './service/exchange.ts';
import { SITE_CHANGED } from '../src/protocol/page/site-files.ts';
import { createHome } from './service/home.ts';
import { isolated, needsIsolation } from './service/isolate.ts';
import { createKeptFiles } from './service/kept-files.ts';
import { passOn } from './service/pass-on.ts';

/**
 * Answers `fetch('api/…')` of any tab of this site by the router of one that has the app open, answers with the files that the
 * page has kept, and isolates the page where its host does not. It keeps nothing by itself, and the page works without it. It
 * is one classic script, so it is built apart from the page.
 */
// The one global that tells a service worker from others; TypeScript has no way to choose it.
const scope = self as unknown as ServiceWorkerGlobalScope;

/** The folder that the site lies in, ending in a slash. */
const home = new URL(scope.registration.scope);

/** Asked for by the page, which saw that its host sends no headers. */
const isolates = new URL(scope.location.href).searchParams.has(ISOLATE_PARAMETER);

/** There is nothing to be kept alive across versions: requests that run end under the old one. */
scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

/** Whatever is served here later is none of this worker's business. */
const site = createHome({
  script: scope.location.href,
  leave: () => Promise.all([scope.registration.unregister(), keptFiles.remove()]),
});

const keptFiles = createKeptFiles(home, caches);

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.waitUntil(site.look());
  if (isForApi(new URL(request.url))) event.respondWith(answer(event));
  else if (keptFiles.mayHave(request)) event.respondWith(fileFor(event));
  else if (isolates && needsIsolation(request, home.href)) event.respondWith(isolatedAtHome(request));
});

/** A tab that can send nothing over its end of a line hands it back, with its last word. */
scope.addEventListener('message', ({ data, ports: [port] }) => {
  if (data === SITE_CHANGED) keptFiles.changed();
  else port?.postMessage(data);
});

/** A kept file, as long as the site is still here; else that of the host. */
async function fileFor(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const kept = await keptFiles.find(request, event);
  if (kept && (request.mode !== 'navigate' || (await site.isThereSoon()))) return kept;
  return isolates && needsIsolation(request, home.href) ? isolatedAtHome(request) : fetch(request);
}

async function isolatedAtHome(request: Request): Promise<Response> {
  const [response, isHome] = await Promise.all([fetch(request), site.isThere()]);
  return isHome ? isolated(response) : response;
}

function isForApi({ origin, pathname }: URL): boolean {
  const isApi = origin === home.origin && pathname.startsWith(`${home.pathname}api/`);
  return isApi && !pathname.startsWith(home.pathname + ENGINE_PATH); // which is the local server's
}

/** A server may have the bridge; where none has, the network says 404. */
async function answer({ request, clientId }: FetchEvent): Promise<Response> {
  if (!(await site.isThere())) return fetch(request);
  const unread = request.clone();
  const isCallerThere = async () => clientId === '' || (await scope.clients.get(clientId)) !== undefined;
  const options = { home: home.pathname, isCallerThere };
  return (await passOn(request, await appsFor(clientId), options)) ?? fetch(unread);
}

/** The tabs that opened the app: the asking one first, then the others as they were last looked at. */
async function appsFor(clientId: string): Promise<Tab[]> {
  const windows = await scope.clients.matchAll({ type: 'window' });
  const pages = new Set([home.pathname, `${home.pathname}index.html`]);
  const apps = windows.filter(({ url }) => pages.has(new URL(url).pathname));
  const inOrder = [...apps.filter(({ id }) => id === clientId), ...apps.filter(({ id }) => id !== clientId)];
  return inOrder.map((client) => ({
    post: (frame, port) => client.postMessage(frame, [port]),
    isThere: async () => (await scope.clients.get(client.id)) !== undefined,
  }));
}
