import { apiUrl } from '../../state/api/api-url.ts';
import type { BridgeStatus, ServiceWorkerStatus } from '../../state/api/transports-store.ts';
import { Lamp } from '../parts/feedback/lamp.tsx';
import { useStoreValue } from '../use-stores.ts';
import styles from './transports-list.module.css';

/** Who can call this page, and whether each transport is open. */
export function TransportsList() {
  const bridge = useStoreValue('transports', (state) => state.bridge);
  const serviceWorker = useStoreValue('transports', (state) => state.serviceWorker);
  const reason = useStoreValue('transports', (state) => state.reason);
  const api = apiUrl(document.baseURI);
  return (
    <ul className={styles.list} aria-label="Transports">
      <Transport
        state="open"
        name="This page"
        code="lightwell.fetch('/embed', …)"
        text="Always available in the console."
      />
      <Transport
        state={stateOf(serviceWorker)}
        name="Tabs of this site"
        code={`fetch('${api.pathname}/embed', …)`}
        text={serviceWorker === 'failed' && reason ? reason : WORKER_TEXT[serviceWorker]}
      />
      <Transport
        state={stateOf(bridge)}
        name="Programs on this machine"
        code={`curl ${api.href}/embed …`}
        text={BRIDGE_TEXT[bridge]}
      />
    </ul>
  );
}

const WORKER_TEXT: Readonly<Record<ServiceWorkerStatus, string>> = {
  absent: 'Not at this address: service workers need https or localhost.',
  starting: 'Service worker starting.',
  active: 'Service worker active.',
  failed: 'The service worker could not be started.',
};

const BRIDGE_TEXT: Readonly<Record<BridgeStatus, string>> = {
  absent: 'Not at this address: start the page with npm start on your own machine.',
  connecting: 'Connecting to the server that sent this page.',
  connected: 'Connected: requests with the token of this browser reach this tab. Keep it open.',
};

type TransportStatus = 'open' | 'waiting' | 'closed';

function stateOf(status: BridgeStatus | ServiceWorkerStatus): TransportStatus {
  if (status === 'connected' || status === 'active') return 'open';
  return status === 'connecting' || status === 'starting' ? 'waiting' : 'closed';
}

interface TransportProps {
  readonly state: TransportStatus;
  readonly name: string;
  readonly code: string;
  readonly text: string;
}

const STATE_WORDS = { open: 'open', waiting: 'not yet open', closed: 'closed' };
const LAMPS = { open: 'lit', waiting: 'plain', closed: 'hollow' } as const;

function Transport({ state, name, code, text }: TransportProps) {
  return (
    <li className={styles.transport} data-state={state} data-testid="transport">
      <Lamp look={LAMPS[state]} />
      <span className={styles.name}>
        {name}
        <span className="visually-hidden">: {STATE_WORDS[state]}</span>
      </span>
      <code className={styles.code}>{code}</code>
      <span className={styles.text}>{text}</span>
    </li>
  );
}
