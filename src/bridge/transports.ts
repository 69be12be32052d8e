import { BRIDGE_ANNOUNCEMENT } from '../protocol/frames/line.ts';
import type { Router } from '../router/router.ts';
import { openBridge, type PresenceFacts } from './bridge.ts';
import { findStrangers, type Stranger } from './strangers.ts';
import { startServiceWorker, type ServiceWorkerStatus } from './service-worker.ts';

/** What the transports need from the page. */
export interface TransportsOptions {
  readonly router: Router;
  readonly origin: string;
  readonly facts: () => PresenceFacts;
  /** `absent` where the page's server has no bridge. */
  readonly onBridge: (status: 'absent' | 'connecting' | 'connected') => void;
  readonly onServiceWorker: (status: ServiceWorkerStatus, reason?: string) => void;
  /** Told once what else uses the page's origin. */
  readonly onStrangers: (strangers: readonly Stranger[]) => void;
}

/** The transports from outside the page. */
export interface Transports {
  /** Call after `facts` have changed. */
  refresh(): void;
}

/** Opens the transports to the page's router that this page and its server allow. */
export function openTransports(options: TransportsOptions): Transports {
  const { router, origin, facts, onBridge, onServiceWorker, onStrangers } = options;
  void findStrangers().then(onStrangers);
  // Development serves the worker's source elsewhere.
  if (import.meta.env.PROD)
    void startServiceWorker({ router, origin, timeoutMs: () => facts().timeoutMs, onStatus: onServiceWorker });
  else onServiceWorker('absent');
  // The server serves its bridge and its page at the root; behind a proxy's path there is no way to it.
  if (!hasBridge() || new URL('.', document.baseURI).pathname !== '/') {
    onBridge('absent');
    return { refresh: () => undefined };
  }
  const bridge = openBridge({ router, origin, facts, onStatus: onBridge });
  return { refresh: () => bridge.refresh() };
}

/**
 * Whether the page came from a server with a bridge. Told by a header of the page's own answer, because asking a
 * static host for something it does not have would put an error into the console.
 */
function hasBridge(): boolean {
  const entries = performance.getEntriesByType('navigation');
  return entries.some(
    (entry) =>
      entry instanceof PerformanceNavigationTiming &&
      entry.serverTiming.some(({ name }) => name === BRIDGE_ANNOUNCEMENT),
  );
}
