import type { FromTab, ToTab } from '../protocol/frames/frames.ts';
import type { Router } from '../router/router.ts';
import { isolationState, serviceWorkerScript } from './isolation.ts';
import { createResponder, postOrCut, type Line } from './responder.ts';

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

/** What the service worker is told of a tab; it asks tabs in an order of its own. */
const PRESENCE = { type: 'presence', attention: 'visible', allowedOrigins: [], tokenHash: null } as const;

/** Starts the service worker and answers what it passes on. Its failure leaves the page as it is. */
export async function startServiceWorker(options: ServiceWorkerOptions): Promise<void> {
  const { router, origin, timeoutMs, onStatus, container = navigator.serviceWorker } = options;
  // Undefined outside secure contexts, whatever its type says.
  if (!(container as typeof container | undefined)) return onStatus('absent');
  onStatus('starting');
  container.onmessage = ({ data, source, ports: [port] }: MessageEvent<ToTab>) => {
    if (!port) return;
    const line: Line = {
      post: (frame) => port.postMessage(frame),
      // The service worker puts it on the port that it is handed back.
      cut: (reason) =>
        source?.postMessage({ type: 'broken', id: data.id, reason } satisfies FromTab, { transfer: [port] }),
    };
    const { receive } = createResponder(router, origin, line);
    port.onmessage = (event: MessageEvent<ToTab>) => receive(event.data);
    if (postOrCut(line, { ...PRESENCE, timeoutMs: timeoutMs() })) receive(data);
  };
  try {
    await container.register(serviceWorkerScript(isolationState()));
    await container.ready;
    onStatus('active');
  } catch (error) {
    onStatus('failed', error instanceof Error ? error.message : String(error));
  }
}
