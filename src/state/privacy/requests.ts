import type { RequestList } from '../../protocol/page/request-list.ts';
import { csvText } from '../explain/export.ts';

/** All requests for an address. */
export interface RequestRow {
  /** Without the origin, if it is the page's own. */
  readonly address: string;
  readonly isForeign: boolean;
  /** Who asked, each once. */
  readonly by: readonly string[];
  readonly times: number;
  readonly networkBytes: number;
  /** Bytes that were on the device already. */
  readonly localBytes: number;
}

/** Requests by address. */
export interface RequestSummary {
  readonly rows: readonly RequestRow[];
  readonly times: number;
  readonly networkBytes: number;
  readonly localBytes: number;
  /** Addresses of hubs that were asked for models, each once; nobody else may ask them. */
  readonly hubs: readonly string[];
  /** How many of the requests went there. */
  readonly hubTimes: number;
  /** Addresses of other origins that something else asked for; there are none. */
  readonly foreign: readonly string[];
  /** Addresses that the browser kept from being asked for, each once. */
  readonly refused: readonly string[];
}

/** Requests by address, in the order in which they were first asked for. */
export function summaryOf(lists: readonly RequestList[], origin: string): RequestSummary {
  const rows = new Map<string, RequestRow>();
  for (const { by, requests } of lists)
    for (const { url, networkBytes, bytes, from } of requests) {
      const isForeign = isOfAnother(url, origin);
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
  const sum = (field: 'times' | 'networkBytes' | 'localBytes') => all.reduce((total, row) => total + row[field], 0);
  return {
    rows: all,
    ...{ times: sum('times'), networkBytes: sum('networkBytes'), localBytes: sum('localBytes') },
    hubs: [...new Set(all.filter(isOfHub).map(({ address }) => new URL(address).origin))],
    hubTimes: all.filter(isOfHub).reduce((total, { times }) => total + times, 0),
    foreign: all.filter((row) => row.isForeign && !isOfHub(row)).map(({ address }) => address),
    refused: [...new Set(lists.flatMap(({ refused }) => refused))],
  };
}

/** The worker that fetches models is the only one that may ask other addresses. */
function isOfHub({ isForeign, by }: RequestRow): boolean {
  return isForeign && by.every((one) => one === 'keeping');
}

/** `data:` and `blob:` never reach a network. */
function isOfAnother(url: string, origin: string): boolean {
  return !/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`);
}

/** A row for each address, RFC 4180. */
export function requestsCsv(rows: readonly RequestRow[]): string {
  const head = ['address', 'other_origin', 'asked_by', 'times', 'network_bytes', 'device_bytes'];
  return csvText([
    head,
    ...rows.map(({ address, isForeign, by, times, networkBytes, localBytes }) => [
      ...[address, isForeign ? 'yes' : 'no', by.join(' ')],
      ...[times, networkBytes, localBytes],
    ]),
  ]);
}
