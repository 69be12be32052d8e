import { useEffect, useMemo } from 'react';
import { privacyWords } from './words.en.ts';
import { countText, listText, numberText, sizeText } from '../../words/language.ts';
import { Button, saveFile } from '../../parts/buttons.tsx';
import { SettingsSection } from '../../parts/fields/fields.tsx';
import { TableHead } from '../../parts/layout/blocks.tsx';
import { useMachinesInUse, useStoreValue } from '../../stores/use-stores.ts';
import styles from './privacy.module.css';
import type { RequestList, RequestSender } from '../../protocol/page/privacy-facts.ts';
import { csvText } from '../../files/table/csv-text.ts';

/** All requests since the page was opened, from the browser's list. */
export function RequestsSection() {
  const words = privacyWords().requests;
  const engine = useMachinesInUse();
  const [sent = '', ...others] = words.limitList;
  const limits = [engine ? words.sent(engine.host) : sent, ...others];
  const { lists, origin, watch } = useStoreValue('privacy', (state) => state);
  const bridge = useStoreValue('transports', (state) => state.bridge);
  const { settings, toolUse } = useStoreValue('settings', (state) => state);
  useEffect(watch, [watch]);
  const summary = useMemo(() => summaryOf(lists, origin), [lists, origin]);
  const isOwnOnly = summary.foreign.length === 0;
  return (
    <SettingsSection title={words.title} about={words.about}>
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
      <ForeignWarning text={words.foreign} addresses={summary.foreign} />
      <ForeignWarning text={words.refused} addresses={summary.refused} />
      <p>{words.line[bridge]}</p>
      {toolUse && (settings.agentTools || toolUse.calls > 0) && (
        <p data-testid="agents">{words.agents(countText(toolUse.calls, words.calls))}</p>
      )}
      <details>
        <summary>{words.table}</summary>
        <Requests rows={summary.rows} />
        <Button onClick={() => saveFile('requests.csv', new Blob([requestsCsv(summary.rows)], { type: 'text/csv' }))}>
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
    </SettingsSection>
  );
}

/** Addresses that must not be requested; nothing without any. */
function ForeignWarning({ text, addresses }: { readonly text: string; readonly addresses: readonly string[] }) {
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
  const senders: Readonly<Record<string, string>> = words.workers; // a tab of another version may have others
  return (
    // What scrolls must be reachable by keyboard.
    <div className={styles.tall} tabIndex={0} role="region" aria-label={words.table}>
      <table className={styles.table} data-testid="requests">
        <TableHead names={[words.address, words.by, words.times, words.overNetwork, words.fromDevice]} />
        <tbody>
          {rows.map(({ address, isForeign, by, times, networkBytes, localBytes }) => (
            <tr key={address} {...(isForeign && { 'data-foreign': true })}>
              <th scope="row">
                <code>{address}</code>
              </th>
              <td>{listText(by.map((sender) => senders[sender] ?? sender))}</td>
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

interface RequestRow {
  /** Without the origin, if it is the page's own. */
  readonly address: string;
  readonly isForeign: boolean;
  /** The page or workers that sent them, each once. */
  readonly by: readonly RequestSender[];
  readonly times: number;
  readonly networkBytes: number;
  readonly localBytes: number;
}

/**
 * Requests by address, in the order of the first request to each, with their sums.
 *
 * @returns `hubs` and `hubTimes`: origins of the model hubs, and the number of requests to them; `foreign`: other addresses of
 *          other origins, which must not occur; `refused`: addresses that the browser blocked
 */
export function summaryOf(lists: readonly RequestList[], origin: string) {
  const rows = new Map<string, RequestRow>();
  for (const { by, requests } of lists)
    for (const { url, networkBytes, bytes, from } of requests) {
      const isForeign = isOtherOrigin(url, origin);
      const address = isForeign ? url : url.slice(origin.length);
      const row = rows.get(address) ?? { address, isForeign, by: [], times: 0, networkBytes: 0, localBytes: 0 };
      rows.set(address, {
        ...row,
        by: row.by.includes(by) ? row.by : [...row.by, by],
        times: row.times + 1,
        networkBytes: row.networkBytes + networkBytes,
        localBytes: row.localBytes + (from === 'network' ? 0 : bytes),
      });
    }
  const all = [...rows.values()];
  const toHubs = all.filter(isOfHub);
  const sum = (field: 'times' | 'networkBytes' | 'localBytes') => all.reduce((total, row) => total + row[field], 0);
  return {
    rows: all,
    times: sum('times'),
    networkBytes: sum('networkBytes'),
    localBytes: sum('localBytes'),
    hubs: [...new Set(toHubs.map(({ address }) => new URL(address).origin))],
    hubTimes: toHubs.reduce((total, { times }) => total + times, 0),
    foreign: all.filter((row) => row.isForeign && !isOfHub(row)).map(({ address }) => address),
    refused: [...new Set(lists.flatMap(({ refused }) => refused))],
  };
}

/** Only the worker that downloads models may request other origins. */
function isOfHub({ isForeign, by }: RequestRow): boolean {
  return isForeign && by.every((worker) => worker === 'downloads');
}

/** `data:` and `blob:` never reach a network. */
function isOtherOrigin(url: string, origin: string): boolean {
  return !/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`);
}

/** A row for each address, RFC 4180. */
export function requestsCsv(rows: readonly RequestRow[]): string {
  const head = ['address', 'other_origin', 'asked_by', 'times', 'network_bytes', 'device_bytes'];
  return csvText([
    head,
    ...rows.map(({ address, isForeign, by, times, networkBytes, localBytes }) => [
      address,
      isForeign ? 'yes' : 'no',
      by.join(' '),
      times,
      networkBytes,
      localBytes,
    ]),
  ]);
}
