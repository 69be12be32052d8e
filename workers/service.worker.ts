import { ENGINE_PATH } from '../src/contract/wire/engine.ts';
import { ISOLATE_PARAMETER } from '../src/protocol/page/headers.ts';
import { SITE_CHANGED } from '../src/protocol/page/site-files.ts';
import { type ClientTab, forwardToTabs } from './service/forward.ts';
import { createSiteCache, createSiteProbe, needsIsolation, withIsolationHeaders } from './service/site.ts';

/**
 * Forwards `fetch('api/…')` and `fetch('v1/…')` of any tab of this site to the router of a tab with the app open, answers with the files that the
 * page has stored, and isolates the page where its host does not. It stores nothing itself, and the page works without it. It
 * is one classic script, so it is built apart from the page.
 */
// The global of a service worker; TypeScript has no way to choose it.
const scope = self as unknown as ServiceWorkerGlobalScope;

/** Address of the site's folder, ending in a slash. */
const folder = new URL(scope.registration.scope);

/** Requested by the page, which saw that its host sends no headers. */
const isolates = new URL(scope.location.href).searchParams.has(ISOLATE_PARAMETER);

/** A new version starts at once: running requests end under the old one. */
scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

/** The worker must not touch another site that is served here later. */
const siteProbe = createSiteProbe({
  script: scope.location.href,
  unregister: () => Promise.all([scope.registration.unregister(), siteCache.remove()]),
});

const siteCache = createSiteCache(folder, caches);

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.waitUntil(siteProbe.probe());
  if (isForApi(new URL(request.url))) event.respondWith(answer(event));
  else if (siteCache.mayServe(request)) event.respondWith(fileFor(event));
  else if (isolates && needsIsolation(request, folder.href)) event.respondWith(isolatedSite(request));
});

/** A tab that cannot use its end of a port sends it back, with its last message. */
scope.addEventListener('message', ({ data, ports: [port] }) => {
  if (data === SITE_CHANGED) siteCache.changed();
  else port?.postMessage(data);
});

/** A stored file, as long as the site still exists; else the host's. */
async function fileFor(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const stored = await siteCache.find(request, event);
  if (stored && (request.mode !== 'navigate' || (await siteProbe.respondsSoon()))) return stored;
  return isolates && needsIsolation(request, folder.href) ? isolatedSite(request) : fetch(request);
}

async function isolatedSite(request: Request): Promise<Response> {
  const [response, isSite] = await Promise.all([fetch(request), siteProbe.responds()]);
  return isSite ? withIsolationHeaders(response) : response;
}

function isForApi({ origin, pathname }: URL): boolean {
  const isApi = ['api/', 'v1/'].some((root) => pathname.startsWith(folder.pathname + root));
  return origin === folder.origin && isApi && !pathname.startsWith(folder.pathname + ENGINE_PATH); // that path is the local server's
}

/** Without a tab the request goes to the server, which may have the bridge; else it answers 404. */
async function answer({ request, clientId }: FetchEvent): Promise<Response> {
  if (!(await siteProbe.respondsSoon())) return fetch(request);
  const unread = request.clone();
  const isCallerOpen = async () => clientId === '' || (await scope.clients.get(clientId)) !== undefined;
  const tabs = await tabsFor(clientId);
  return (await forwardToTabs(request, tabs, { home: folder.pathname, isCallerOpen })) ?? fetch(unread);
}

/** The tabs that opened the app: the calling one first, then the others by their last focus. */
async function tabsFor(clientId: string): Promise<ClientTab[]> {
  const windows = await scope.clients.matchAll({ type: 'window' });
  const pages = new Set([folder.pathname, `${folder.pathname}index.html`]);
  const apps = windows.filter(({ url }) => pages.has(new URL(url).pathname));
  const ranked = [...apps.filter(({ id }) => id === clientId), ...apps.filter(({ id }) => id !== clientId)];
  return ranked.map((client) => ({
    post: (frame, port) => client.postMessage(frame, [port]),
    isOpen: async () => (await scope.clients.get(client.id)) !== undefined,
  }));
}
