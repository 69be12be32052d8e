import { describe, expect, it } from 'vitest';
import type { RequestFacts, RequestSender } from '../../../../src/protocol/page/privacy-facts.ts';
import { requestsCsv, summaryOf } from '../../../../src/pages/privacy/requests-section.tsx';

const ORIGIN = 'http://localhost:5448';

const request = (path: string, more: Partial<RequestFacts> = {}): RequestFacts => ({
  url: path.startsWith('/') ? `${ORIGIN}${path}` : path,
  networkBytes: 0,
  bytes: 0,
  from: 'network',
  ...more,
});

const listOf = (by: RequestSender, requests: readonly RequestFacts[], refused: readonly string[] = []) => ({
  id: `${by} 1`,
  by,
  requests,
  refused,
});

describe('summaryOf', () => {
  it('counts the requests of an address together, from page and workers', () => {
    const kept = request('/a.js', { bytes: 30, from: 'kept' });
    const summary = summaryOf(
      [
        listOf('page', [request('/a.js', { networkBytes: 10, bytes: 30 }), kept, request('/')]),
        listOf('inference', [kept]),
      ],
      ORIGIN,
    );
    expect(summary).toMatchObject({ times: 4, networkBytes: 10, localBytes: 60, foreign: [], refused: [] });
    expect(summary.rows.map(({ address, by, times }) => [address, by, times])).toEqual([
      ['/a.js', ['page', 'inference'], 3],
      ['/', ['page'], 1],
    ]);
  });

  it.each(['https://other.example/x', 'http://localhost:54480/a.js', 'wss://localhost:5448/x'])(
    'names %s, which is of another origin',
    (url) => {
      const { rows, foreign } = summaryOf([listOf('inference', [request(url), request(url)])], ORIGIN);
      expect(foreign).toEqual([url]);
      expect(rows).toMatchObject([{ address: url, isForeign: true, times: 2 }]);
    },
  );

  it.each(['data:text/css,a', `blob:${ORIGIN}/1`])('takes %s for none', (url) =>
    expect(summaryOf([listOf('page', [request(url)])], ORIGIN).foreign).toEqual([]),
  );

  it('names what was refused once', () => {
    const lists = [
      listOf('page', [], ['https://a/', 'https://a/']),
      listOf('inference', [], ['https://a/', 'https://b/']),
    ];
    expect(summaryOf(lists, ORIGIN).refused).toEqual(['https://a/', 'https://b/']);
  });
});

describe('requestsCsv', () => {
  it('has a row for each address', () => {
    const { rows } = summaryOf([listOf('page', [request('/a.js', { networkBytes: 10, bytes: 30 })])], ORIGIN);
    expect(requestsCsv(rows).split('\r\n')).toEqual([
      'address,other_origin,asked_by,times,network_bytes,device_bytes',
      '/a.js,no,page,1,10,0',
    ]);
  });
});
