import type { Tab } from './service/exchange.ts';
import { passOn } from './service/pass-on.ts';

/**
 * Answers `fetch('/api/…')` of any tab of this site by the router of one that has the app open. Nothing else: it caches
 * nothing, and the page works without it. It is one classic script, so it is built apart from the page.
 */
// The one global that tells a service worker from others; TypeScript has no way to choose it.
const scope = self as unknown as ServiceWorkerGlobalScope;

/** There is nothing to be kept alive across versions: requests that run end under the old one. */
scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const api = new URL('api/', scope.registration.scope);
  if (new URL(event.request.url).origin !== api.origin || !pathname.startsWith(api.pathname)) return;
  event.respondWith(answer(event));
});

/** A server may have the bridge; where none has, the network says 404. */
async function answer({ request, clientId }: FetchEvent): Promise<Response> {
  const unread = request.clone();
  const isCallerThere = async () => clientId === '' || (await scope.clients.get(clientId)) !== undefined;
  return (await passOn(request, await appsFor(clientId), { isCallerThere })) ?? fetch(unread);
}

/** The tabs that opened the app: the asking one first, then the others as they were last looked at. */
async function appsFor(clientId: string): Promise<Tab[]> {
  const windows = await scope.clients.matchAll({ type: 'window' });
  const { pathname: home } = new URL(scope.registration.scope);
  const apps = windows.filter(({ url }) => [home, `${home}index.html`].includes(new URL(url).pathname));
  const inOrder = [...apps.filter(({ id }) => id === clientId), ...apps.filter(({ id }) => id !== clientId)];
  return inOrder.map((client) => ({
    post: (frame, port) => client.postMessage(frame, [port]),
    isThere: async () => (await scope.clients.get(client.id)) !== undefined,
  }));
}
