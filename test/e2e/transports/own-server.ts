import { startServer, type RunningServer } from '../../../server/serve.ts';
import { test as base } from '../fixture.ts';

/** Tests with a server of their own, so that it can be stopped, and so that no tab of another test answers. */
export const test = base.extend<{ server: RunningServer }>({
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const server = await startServer({ port: 0 });
    await use(server);
    await server.close();
  },
  baseURL: async ({ server }, use) => use(server.url),
});
