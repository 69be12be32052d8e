import { createServer, type ViteDevServer } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bridgeInDevelopment } from '../../../../server/vite/build-plugins.ts';
import { AUTHORIZED, openTab } from '../../../support/fakes/fake-tab.ts';

let server: ViteDevServer;
let url: string;

beforeEach(async () => {
  server = await createServer({
    configFile: false,
    logLevel: 'error',
    plugins: [bridgeInDevelopment()],
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, watch: null },
  });
  await server.listen();
  url = server.resolvedUrls?.local[0] ?? '';
});
afterEach(() => server.close());

describe('the development server', () => {
  it('carries a request to a tab, and the answer back', async () => {
    const tab = await openTab(url);
    const answered = fetch(new URL('/api/model-settings', url), { headers: AUTHORIZED });
    expect((await tab.request({ body: '[]' })).path).toBe('/api/model-settings');
    expect(await (await answered).json()).toEqual([]);
  });

  it('says what to open where there is no tab', async () => {
    const response = await fetch(new URL('/api/model-settings', url));
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining(`open ${url} in a browser`),
    ]);
  });

  it('announces the bridge to the page, and leaves all else to vite', async () => {
    const response = await fetch(new URL('/package.json', url));
    expect([response.status, response.headers.get('Server-Timing')]).toEqual([200, 'lightwell-bridge']);
  });
});
