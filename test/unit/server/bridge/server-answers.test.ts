import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import { openTab } from '../../../support/fakes/fake-tab.ts';
import { createPage } from '../../../support/fakes/page.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ port: 0 });
});
afterAll(() => server.close());

const send = (path: string, init?: RequestInit): Promise<Response> => fetch(new URL(path, server.url), init);

describe('an operation that needs no token', () => {
  it.each(['/version', '/openapi.json'])('is answered as the page would, without a tab: %s', async (path) => {
    const inPage = await createPage().router.fetch(new Request(`http://localhost${path}`));
    const text = await inPage.text();
    for (const prefix of ['/api', '/api/v1']) {
      const answered = await send(`${prefix}${path}?x=y`);
      expect([answered.status, await answered.text()]).toEqual([200, text]);
      expect(answered.headers.get('Content-Type')).toBe(inPage.headers.get('Content-Type'));
    }
    const head = await send(`/api${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('knows one method, as in the page', async () => {
    const inPage = await createPage().router.fetch(new Request('http://localhost/version', { method: 'POST' }));
    const answered = await send('/api/version', { method: 'POST', body: 'x' });
    expect([answered.status, answered.headers.get('Allow'), await answered.json()]).toEqual([
      inPage.status,
      inPage.headers.get('Allow'),
      await inPage.json(),
    ]);
  });

  it('is shown to no tab, which could say something else', async () => {
    const tab = await openTab(server.url);
    for (const path of ['/api/version', '/api/openapi.json']) await send(path);
    expect(tab.received).toEqual([]);
  });

  it.each(['/api/versions', '/api/version/', '/api/v2/version', '/api/__proto__', '/api/%76ersion'])(
    'is not %s',
    async (path) => expect((await send(path)).status).toBeGreaterThan(400),
  );
});
