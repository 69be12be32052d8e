// @ts-check
import { NEEDS, whyMissing } from './browsers.mjs';
import { provideChromium } from '../support/browser/chromium.mjs';
import { installPackages } from '../support/browser/debian.mjs';
import { buildAll } from '../../server/setup/build.mjs';
import { installDependencies } from '../../server/setup/dependencies.mjs';

/**
 * `npm test -- browsers`: provides the browsers, builds, and runs the smoke suite in each that can be had. The others
 * are named with what is missing; with CI=1 they fail the run. `npm test -- browsers Firefox` runs what has that in
 * its name, a browser or a check.
 */
installDependencies();
process.env.CHROMIUM_PATH = await provideChromium();
for (const needs of Object.values(NEEDS)) if (whyMissing(needs) !== null) installPackages(needs.packages);
buildAll();

// Not at the top: dependencies may just have been installed.
const { startVitest } = await import('vitest/node');
const { TABLE } = await import('./table.mjs');
const vitest = await startVitest('test', [], {
  config: 'test/vitest.config.ts',
  project: 'browsers',
  watch: false,
  reporters: ['default', TABLE],
  ...(process.argv[2] !== undefined && { testNamePattern: process.argv[2] }),
});
await vitest.close();
for (const [name, needs] of Object.entries(NEEDS)) {
  const why = whyMissing(needs);
  if (why !== null) console.log(`${name} skipped: ${why}`);
}
