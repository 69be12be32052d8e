import { useEffect, useMemo } from 'react';
import { type RequestRow, requestsCsv, summaryOf } from '../../state/privacy/requests.ts';
import { privacyWords } from '../../words/en/privacy.ts';
import { countText, listText, numberText, sizeText } from '../../words/numbers.ts';
import { Button } from '../parts/buttons.tsx';
import { download } from '../parts/downloads.ts';
import { Section } from '../settings/fields.tsx';
import { engineWords } from '../../words/en/models/engine.ts';
import { useEngineInUse, useStoreValue } from '../use-stores.ts';
import styles from './privacy.module.css';

/** Every request since the page was opened, as the browser lists them. */
export function RequestsSection() {
  const words = privacyWords().requests;
  const engine = useEngineInUse();
  const [sent = '', ...others] = words.limitList;
  const limits = [engine ? engineWords().inUse.requests(engine.host) : sent, ...others];
  const { lists, origin, watch } = useStoreValue('privacy', (state) => state);
  const bridge = useStoreValue('transports', (state) => state.bridge);
  useEffect(watch, [watch]);
  const summary = useMemo(() => summaryOf(lists, origin), [lists, origin]);
  const isOwnOnly = summary.foreign.length === 0;
  return (
    <Section title={words.title} about={words.about}>
      {isOwnOnly && (
        <p data-testid="requests-summary">
          <strong>
            {(summary.hubTimes > 0 ? words.own : words.all)(
              countText(summary.times - summary.hubTimes, words.counted),
              origin,
            )}
          </strong>{' '}
          {words.network(sizeText(summary.networkBytes))} {words.local(sizeText(summary.localBytes))}
        </p>
      )}
      {summary.hubs.length > 0 && (
        <p data-testid="hub-requests">
          {words.hubs(countText(summary.hubTimes, words.counted), listText(summary.hubs))}
        </p>
      )}
      <Loud text={words.foreign} addresses={summary.foreign} />
      <Loud text={words.refused} addresses={summary.refused} />
      <p>{words.line[bridge]}</p>
      <details>
        <summary>{words.table}</summary>
        <Requests rows={summary.rows} />
        <Button onClick={() => download('requests.csv', new Blob([requestsCsv(summary.rows)], { type: 'text/csv' }))}>
          {words.save}
        </Button>
      </details>
      <details>
        <summary>{words.limits}</summary>
        <ul className={styles.list}>
          {limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

/** What must not be; nothing where it is not. */
function Loud({ text, addresses }: { readonly text: string; readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <div className={styles.loud} role="alert">
      <p>{text}</p>
      <ul>
        {addresses.map((address) => (
          <li key={address}>
            <code>{address}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Requests({ rows }: { readonly rows: readonly RequestRow[] }) {
  const words = privacyWords().requests;
  const workers: Readonly<Record<string, string>> = words.workers;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.tall} tabIndex={0} role="region" aria-label={words.table}>
      <table className={styles.table} data-testid="requests">
        <thead>
          <tr>
            <th scope="col">{words.address}</th>
            <th scope="col">{words.by}</th>
            <th scope="col">{words.times}</th>
            <th scope="col">{words.overNetwork}</th>
            <th scope="col">{words.fromDevice}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ address, isForeign, by, times, networkBytes, localBytes }) => (
            <tr key={address} {...(isForeign && { 'data-foreign': true })}>
              <th scope="row">
                <code>{address}</code>
              </th>
              <td>{listText(by.map((one) => workers[one] ?? one))}</td>
              <td>{numberText(times)}</td>
              <td>{sizeText(networkBytes)}</td>
              <td>{sizeText(localBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
