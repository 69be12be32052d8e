import { isAllKept, type KeptPart, keptSizes } from '../../state/privacy/offline-store.ts';
import { privacyWords } from '../../words/en/privacy.ts';
import { sizeText } from '../../words/numbers.ts';
import { Button } from '../parts/buttons.tsx';
import { Lamp } from '../parts/feedback/lamp.tsx';
import { ProgressBar } from '../parts/feedback/progress-bar.tsx';
import { Section } from '../settings/fields.tsx';
import { useStoreValue } from '../use-stores.ts';
import styles from './privacy.module.css';

/** Which files are on the device, and what fetches the others. */
export function OfflineSection() {
  const words = privacyWords().offline;
  const { parts, isKeeping } = useStoreValue('offline', (state) => state);
  const { bytes, keptBytes } = keptSizes(parts);
  return (
    <Section title={words.title} about={words.about}>
      <div className={styles.state} data-testid="offline">
        <Lamp look={isKeeping ? 'pulsing' : isAllKept(parts) ? 'lit' : 'failed'} />
        <p role="status">
          <OfflineText />
        </p>
      </div>
      {isKeeping && bytes > 0 && <ProgressBar label={words.progress} share={keptBytes / bytes} />}
      <FetchButton />
      <InstallButton />
      {parts.length > 0 && <Parts parts={parts} />}
    </Section>
  );
}

function OfflineText() {
  const words = privacyWords().offline;
  const { kind, parts, isKeeping, hasOlder } = useStoreValue('offline', (state) => state);
  const serviceWorker = useStoreValue('transports', (state) => state.serviceWorker);
  const { bytes, keptBytes } = keptSizes(parts);
  if (kind === 'absent' || serviceWorker === 'absent' || serviceWorker === 'failed')
    return `${words.absent} ${words.absentWhy}`;
  if (isAllKept(parts)) return words.whole;
  if (isKeeping) return words.keeping(sizeText(keptBytes), sizeText(bytes));
  if (parts.length === 0) return words.unknown;
  const missing = sizeText(bytes - keptBytes);
  return hasOlder ? words.missingNewer(missing) : words.missing(missing);
}

/** Only where something is missing and nothing fetches it. */
function FetchButton() {
  const words = privacyWords().offline;
  const { parts, isKeeping, problem, actions } = useStoreValue('offline', (state) => state);
  if (isKeeping || actions === null || (isAllKept(parts) && problem === null)) return null;
  return (
    <>
      <p className={styles.problem} role="alert">
        {problem !== null && words.stopped(problem)}
      </p>
      <div>
        <Button onClick={() => void actions.keep()}>{problem === null ? words.fetch : words.retry}</Button>
      </div>
    </>
  );
}

/** Where the browser offers it. */
function InstallButton() {
  const words = privacyWords().offline;
  const install = useStoreValue('offline', (state) => state.install);
  return (
    install && (
      <div>
        <Button onClick={install}>{words.install}</Button>
      </div>
    )
  );
}

function Parts({ parts }: { readonly parts: readonly KeptPart[] }) {
  const words = privacyWords().offline;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">{words.parts}</caption>
        <thead>
          <tr>
            <th scope="col">{words.part}</th>
            <th scope="col">{words.onDevice}</th>
            <th scope="col">{words.size}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, bytes, keptBytes }) => (
            <tr key={name}>
              <th scope="row">{name === 'app' ? words.app : name}</th>
              <td>{keptBytes === bytes ? words.yes : keptBytes === 0 ? words.no : words.some(sizeText(keptBytes))}</td>
              <td>{sizeText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
