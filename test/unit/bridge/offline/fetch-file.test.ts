import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fetchSiteFile } from '../../../../src/bridge/offline/start-offline.ts';
import { PAGE_HEADERS } from '../../../../src/protocol/page/headers.ts';

const TEXT = 'export {};';
const FACTS = [TEXT.length, createHash('sha256').update(TEXT).digest('hex')] as const;
const SCRIPT = 'https://host.example/assets/page-1.js';

const onBytes = () => undefined;

/** A host that answers with these, one after another, and what it was asked for and how. */
function hostOf(...answers: readonly (string | Response)[]) {
  const asked: (RequestCache | undefined)[] = [];
  const left = [...answers];
  const get = async (_url: string | URL | Request, init?: RequestInit) => {
    asked.push(init?.cache);
    const answer = left.shift() ?? '';
    return typeof answer === 'string' ? new Response(answer, { headers: { 'Content-Type': 'text/plain' } }) : answer;
  };
  return { asked, get };
}

describe('fetchSiteFile', () => {
  it('gives a file with the headers that the page needs, whatever the host sent', async () => {
    const { asked, get } = hostOf(TEXT);
    const response = await fetchSiteFile(SCRIPT, FACTS, true, { fetch: get, onBytes });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...Object.fromEntries(Object.entries(PAGE_HEADERS).map(([name, value]) => [name.toLowerCase(), value])),
      'content-type': 'text/javascript',
      'content-length': '10',
    });
    expect([await response.text(), asked]).toEqual([TEXT, ['default']]);
  });

  it('keeps what says that the host has a bridge', async () => {
    const { get } = hostOf(new Response(TEXT, { headers: { 'Server-Timing': 'lightwell-bridge' } }));
    const response = await fetchSiteFile('https://host.example/index.html', FACTS, false, { fetch: get, onBytes });
    expect(response.headers.get('Server-Timing')).toBe('lightwell-bridge');
  });

  it('asks about a file whose name stays the same', async () => {
    const { asked, get } = hostOf(TEXT);
    await fetchSiteFile('https://host.example/lightwell.js', FACTS, false, { fetch: get, onBytes });
    expect(asked).toEqual(['no-cache']);
  });

  it('takes an HTML page that is the listed file', async () => {
    const page = '<!doctype html><title>Lightwell</title>';
    const facts = [page.length, createHash('sha256').update(page).digest('hex')] as const;
    const options = { fetch: hostOf(page).get, onBytes };
    const response = await fetchSiteFile('https://host.example/index.html', facts, false, options);
    expect(await response.text()).toBe(page);
  });

  it.each([
    ['damaged', 'Export {};'],
    ['cut off', 'export'],
    ['too long', `${TEXT}${TEXT}`],
  ])('fetches a file that is %s once more, past the cache, and counts it once', async (_name, wrong) => {
    const { asked, get } = hostOf(wrong, TEXT);
    let count = 0;
    const response = await fetchSiteFile(SCRIPT, FACTS, true, { fetch: get, onBytes: (done) => (count = done) });
    expect([await response.text(), asked, count]).toEqual([TEXT, ['default', 'reload'], TEXT.length]);
  });

  it('refuses a file that stays wrong, and names one that is not there', async () => {
    const wrong = fetchSiteFile(SCRIPT, FACTS, true, { fetch: hostOf('x', 'x').get, onBytes });
    await expect(wrong).rejects.toThrow(`${SCRIPT} is not the file of this version`);
    const none = fetchSiteFile(SCRIPT, FACTS, true, { fetch: hostOf(new Response('', { status: 404 })).get, onBytes });
    await expect(none).rejects.toThrow(`${SCRIPT} answered 404`);
  });
});
