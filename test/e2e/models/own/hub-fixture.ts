import type { Page } from '@playwright/test';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import type { FolderBytes } from '../../../support/files/broken-folders.ts';
import { type Hub, startHub } from '../../../support/hub/hub-server.ts';
import { makeReturning } from '../../../support/returning.ts';
import { plain } from '../../fixture.ts';
import { withoutDecoder } from '../../visitor.ts';
import { goodFolder, openModels } from './visit.ts';

/** The model that the hub has where a test names no other. */
export const ID = 'owner/good';

/** What the hub of a test has. */
export interface Published {
  readonly id: string;
  readonly files: FolderBytes;
  readonly licence?: string;
}

interface HubFixtures {
  readonly hub: Hub;
  readonly server: RunningServer;
  /** Opens a tab's Models page, with the test's hub set. */
  readonly openHub: (page: Page) => Promise<void>;
}

/** Tests of a hub on this computer, and of a page that fetches from it. */
export const test = plain.extend<HubFixtures & { readonly published: Published }>({
  published: [{ id: ID, files: goodFolder(), licence: 'mit' }, { option: true }],
  hub: async ({ published: { id, ...repository } }, use) => {
    const hub = await startHub(new Map([[id, repository]]));
    await use(hub);
    await hub.close();
  },
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  server: async ({}, use) => {
    const server = await startServer({ port: 0 });
    await use(server);
    await server.close();
  },
  context: async ({ context }, use) => {
    await makeReturning(context);
    await withoutDecoder(context);
    await use(context);
  },
  openHub: async ({ hub, server }, use) => use((page) => openModels(page, server.url, hub.url)),
});

/** Asks the hub for a model by its id. */
export async function lookUp(page: Page, id = ID): Promise<void> {
  await page.getByLabel('Model', { exact: true }).fill(id);
  await page.getByRole('button', { name: 'Look up', exact: true }).first().click();
}
