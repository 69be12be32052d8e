import type { Presence, ToTab } from '../protocol/frames.ts';
import type { Router } from '../router/router.ts';
import { isolationState, serviceWorkerScript } from './isolation.ts';
import { createResponder } from './responder.ts';

/** Whether `fetch('api/…')` works; `absent` where the browser or the address allows no service worker. */
export type ServiceWorkerStatus = 'absent' | 'starting' | 'active' | 'failed';

/** What the page's end needs. */
export interface ServiceWorkerOptions {
  readonly router: Router;
  readonly origin: string;
  readonly timeoutMs: () => number;
  readonly onStatus: (status: ServiceWorkerStatus, reason?: string) => void;
  readonly container?: Pick<ServiceWorkerContainer, 'register' | 'ready' | 'onmessage'> | undefined;
}

/** Starts the service worker and answers what it passes on. Its failure leaves the page as it is. */
export async function startServiceWorker(options: ServiceWorkerOptions): Promise<void> {
  const { router, origin, timeoutMs, onStatus, container = navigator.serviceWorker } = options;
  // Undefined outside secure contexts, whatever its type says.
  if (!(container as typeof container | undefined)) return onStatus('absent');
  onStatus('starting');
  container.onmessage = ({ data, ports: [port] }: MessageEvent<ToTab>) => {
    if (!port) return;
    const { receive } = createResponder(router, origin, (frame) => port.postMessage(frame));
    port.onmessage = (event: MessageEvent<ToTab>) => receive(event.data);
    port.postMessage({
      type: 'presence',
      attention: 'visible',
      allowedOrigins: [],
      timeoutMs: timeoutMs(),
      tokenHash: null,
    } satisfies Presence);
    receive(data);
  };
  try {
    await container.register(serviceWorkerScript(isolationState()));
    await container.ready;
    onStatus('active');
  } catch (error) {
    onStatus('failed', error instanceof Error ? error.message : String(error));
  }
}
