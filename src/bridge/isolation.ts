import { ISOLATE_PARAMETER } from '../protocol/page/headers.ts';

/** Built from `workers/service.worker.ts` under this name, beside the page: its folder is what it may serve. */
const SCRIPT = 'service-worker.js';

/** Marks a tab that was reloaded to be isolated; a second reload would not help, and could go on without end. */
const RELOADED = 'lightwell.reloaded-to-isolate';

/** The page starts without isolation when the service worker is not ready by then. */
const CONTROLLER_TIMEOUT_MS = 3_000;

interface IsolationState {
  readonly isIsolated: boolean;
  /** Address of the script of the service worker that the page came through; null for none. */
  readonly controller: string | null;
}

/** The part of a window that is used. */
export interface IsolationPage extends IsolationState {
  /** A page inside another one is isolated only where that one is. */
  readonly isFramed: boolean;
  /** Of this tab; null where the browser forbids it. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** Undefined outside secure contexts. */
  readonly container: Pick<ServiceWorkerContainer, 'register'> | undefined;
  readonly reload: () => void;
}

/**
 * Address of the service worker's script. It is told to isolate the page unless the host does so: an isolated page came either
 * with the host's headers, or through a service worker that was told so before and stays.
 */
export function serviceWorkerScript({ isIsolated, controller }: IsolationState): string {
  const isByWorker = controller !== null && new URL(controller).searchParams.has(ISOLATE_PARAMETER);
  return isIsolated && !isByWorker ? SCRIPT : `${SCRIPT}?${ISOLATE_PARAMETER}`;
}

/** Of this window. */
export function isolationState(): IsolationState {
  // Undefined outside secure contexts, whatever its type says.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  return { isIsolated: crossOriginIsolated, controller: container?.controller?.scriptURL ?? null };
}

/**
 * Reloads the page through the service worker where its host does not isolate it. To be asked before the app starts: there is
 * nothing to be lost then. Once the app has started, an unisolated page stays as it is until it is opened again.
 *
 * @returns  whether the page is being reloaded; when not, it starts as it is, isolated or on one thread
 */
export async function reloadToIsolate(
  page: IsolationPage = thisPage(),
  timeoutMs: number = CONTROLLER_TIMEOUT_MS,
): Promise<boolean> {
  const { isIsolated, isFramed, storage, container, reload } = page;
  if (isIsolated) unmark(storage);
  if (isIsolated || isFramed || !container || !storage || !mayReload(storage)) return false;
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), timeoutMs));
  if (!(await Promise.race([isActive(container, serviceWorkerScript(page)), late]))) return false;
  if (!isMarked(storage)) return false;
  reload();
  return true;
}

/** Forgets the reload. A storage that forbids it only keeps the page from being reloaded another time. */
function unmark(storage: IsolationPage['storage']): void {
  try {
    storage?.removeItem(RELOADED);
  } catch {
    // Forbidden: then nothing was noted either.
  }
}

/** Whether no reload is noted; a storage that cannot be read could not tell a loop of reloads either. */
function mayReload(storage: Pick<Storage, 'getItem'>): boolean {
  try {
    return storage.getItem(RELOADED) === null;
  } catch {
    return false;
  }
}

/** Notes the reload; false where that fails, as in a full storage: without the mark the page could reload without end. */
function isMarked(storage: Pick<Storage, 'setItem'>): boolean {
  try {
    storage.setItem(RELOADED, 'yes');
    return true;
  } catch {
    return false;
  }
}

/** Resolves once the worker of that script answers for pages; false when it cannot be installed. */
async function isActive(container: Pick<ServiceWorkerContainer, 'register'>, script: string): Promise<boolean> {
  let registration: ServiceWorkerRegistration;
  try {
    registration = await container.register(script);
  } catch {
    return false; // said on the API page, by `startServiceWorker`, which meets it again
  }
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (worker === null) return false;
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'activated') resolve(true);
      else if (worker.state === 'redundant') resolve(false);
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

function thisPage(): IsolationPage {
  return {
    ...isolationState(),
    isFramed: window.top !== window,
    storage: sessionStorageOrNull(),
    container: navigator.serviceWorker,
    reload: () => location.reload(),
  };
}

function sessionStorageOrNull(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null; // forbidden; without it a loop of reloads could not be told
  }
}
