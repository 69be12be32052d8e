import type { BridgeStatus, ServiceWorkerStatus } from '../../state/api/transports-store.ts';
import { useTransports } from '../use-stores.ts';
import styles from './transports-list.module.css';

/** Who can ask this page, and whether each way is open. */
export function TransportsList() {
  const bridge = useTransports((state) => state.bridge);
  const serviceWorker = useTransports((state) => state.serviceWorker);
  const reason = useTransports((state) => state.reason);
  return (
    <ul className={styles.list} aria-label="Ways in">
      <Way
        state="open"
        name="This page"
        code="lightwell.fetch('/embed', …)"
        text="Always open: type it into the console."
      />
      <Way
        state={stateOf(serviceWorker)}
        name="Tabs of this site"
        code="fetch('/api/embed', …)"
        text={serviceWorker === 'failed' && reason ? reason : WORKER_TEXT[serviceWorker]}
      />
      <Way
        state={stateOf(bridge)}
        name="Programs on this machine"
        code={`curl ${location.origin}/api/embed …`}
        text={BRIDGE_TEXT[bridge]}
      />
    </ul>
  );
}

const WORKER_TEXT: Readonly<Record<ServiceWorkerStatus, string>> = {
  absent: 'Not at this address: service workers need https or localhost.',
  starting: 'The service worker is starting.',
  active: 'The service worker is at work.',
  failed: 'The service worker could not be started.',
};

const BRIDGE_TEXT: Readonly<Record<BridgeStatus, string>> = {
  absent: 'Not at this address: start the page with npm start on your own machine.',
  connecting: 'Connecting to the server that sent this page.',
  connected: 'Connected; keep this tab open.',
};

type WayState = 'open' | 'waiting' | 'closed';

function stateOf(status: BridgeStatus | ServiceWorkerStatus): WayState {
  if (status === 'connected' || status === 'active') return 'open';
  return status === 'connecting' || status === 'starting' ? 'waiting' : 'closed';
}

interface WayProps {
  readonly state: WayState;
  readonly name: string;
  readonly code: string;
  readonly text: string;
}

const STATE_WORDS = { open: 'open', waiting: 'not yet open', closed: 'closed' };

function Way({ state, name, code, text }: WayProps) {
  return (
    <li className={styles.way} data-state={state} data-testid="way">
      <span className={styles.lamp} aria-hidden />
      <span className={styles.name}>
        {name}
        <span className="visually-hidden">: {STATE_WORDS[state]}</span>
      </span>
      <code className={styles.code}>{code}</code>
      <span className={styles.text}>{text}</span>
    </li>
  );
}
