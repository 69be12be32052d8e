import { apiWords } from '../../words/en/api.ts';
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
  const words = apiWords().transports;
  return (
    <ul className={styles.list} aria-label={words.label}>
      <Transport state="open" name={words.page} code="lightwell.fetch('/embed', …)" text={words.pageText} />
      <Transport
        state={stateOf(serviceWorker)}
        name={words.tabs}
        code={`fetch('${api.pathname}/embed', …)`}
        text={serviceWorker === 'failed' && reason ? reason : words.serviceWorker[serviceWorker]}
      />
      <Transport
        state={stateOf(bridge)}
        name={words.programs}
        code={`curl ${api.href}/embed …`}
        text={words.bridge[bridge]}
      />
    </ul>
  );
}

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

const LAMPS = { open: 'lit', waiting: 'plain', closed: 'hollow' } as const;

function Transport({ state, name, code, text }: TransportProps) {
  return (
    <li className={styles.transport} data-state={state} data-testid="transport">
      <Lamp look={LAMPS[state]} />
      <span className={styles.name}>
        {name}
        <span className="visually-hidden">: {apiWords().transports.states[state]}</span>
      </span>
      <code className={styles.code}>{code}</code>
      <span className={styles.text}>{text}</span>
    </li>
  );
}
