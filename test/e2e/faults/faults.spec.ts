import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startServer, type RunningServer } from '../../../server/serve.ts';
import { DIST } from '../../../server/setup/build.mjs';
import { plain as test } from '../fixture.ts';
import { MARK } from './faults.ts';
import { HARNESS_PAGE, makeTestBuild } from './test-build.ts';
import { createTrials, type Group } from './trial.ts';

/**
 * A few of the points that `npm test -- faults` visits, one for each way that faults take: page, worker, network, WebAssembly,
 * and the runtime. The first use of each seam fails only.
 */
const SOME: readonly Pick<Group, 'fault' | 'state' | 'operation'>[] = [
  { fault: 'message to worker: throws', state: 'loaded', operation: 'qa on a document' },
  { fault: 'message from worker: throws', state: 'loaded', operation: 'qa on a document' },
  { fault: 'message from worker: throws, as do all later ones of this worker', state: 'loaded', operation: 'embed' },
  { fault: 'message from worker: unreadable', state: 'loaded', operation: 'embed' },
  { fault: 'run: throws', state: 'loaded', operation: 'qa on a document' },
  { fault: 'GPU adapter: rejects', state: 'first', operation: 'qa on a document' },
  { fault: 'fetch: body breaks off', state: 'first', operation: 'qa on a document' },
];

/** Scripts and pages of a build in which the switchboard has left a name. */
function marked(folder: string): string[] {
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(m?js|html)$/.test(name),
  );
  const names = [MARK, 'armedFirst', 'watchRuntime'];
  return scripts.filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return names.some((each) => text.includes(each));
  });
}

test.describe('where one thing fails', () => {
  let folder: string;
  let server: RunningServer;

  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  test.beforeAll(async ({}, { project }) => {
    folder = join(project.outputDir, 'faults');
    await makeTestBuild(DIST, folder);
    server = await startServer({ root: folder, port: 0 });
  });

  test.afterAll(() => server.close());

  test('the request ends, the next one is right, and nothing is left', async ({ page }) => {
    const { run } = await createTrials(page, `${server.url}${HARNESS_PAGE}`);
    for (const some of SOME) {
      const { points, problems } = await run({ ...some, lasting: 'once' }, { all: false, most: 1 });
      expect(problems).toEqual([]);
      expect(points, some.fault).toBe(1);
    }
  });

  test('it fails in a copy of the build: the product has no switchboard', () => {
    expect(marked(folder)).toHaveLength(5);
    expect(marked(DIST)).toEqual([]);
  });
});
