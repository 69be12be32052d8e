// @ts-check
import { NEEDS, whyMissing } from './browsers.mjs';
import { provideChromium } from '../support/chromium.mjs';
import { installPackages } from '../support/debian.mjs';
import { buildAll } from '../../server/setup/build.mjs';
import { installDependencies } from '../../server/setup/dependencies.mjs';
import { run } from '../../server/setup/project.mjs';

/**
 * `npm run test:browsers`: provides the browsers, builds, and runs the smoke suite in each. What follows `--` goes to
 * vitest: `-t Firefox` runs one of them.
 */
installDependencies();
process.env.CHROMIUM_PATH = await provideChromium();
for (const needs of Object.values(NEEDS)) if (whyMissing(needs) !== null) installPackages(needs.packages);
buildAll();
const reporters = ['--reporter=default', '--reporter=./test/browsers/table.ts'];
const args = ['vitest', 'run', '-c', 'test/vitest.config.ts', '--project', 'browsers', ...reporters];
process.exit(run('npx', [...args, ...process.argv.slice(2)]) ? 0 : 1);
