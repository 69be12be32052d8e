// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { buildAll } from '../../server/setup/build.mjs';
import { giveUp, ROOT } from '../../server/setup/dependencies.mjs';
import { provideChromium, QUIET_SWITCHES } from '../../test/support/browser/chromium.mjs';
import { environmentWith, whyNoPython } from '../../test/support/python.mjs';

/**
 * `npm run bench -- heat-maps`: the HTML of `lightwell render --interactive`, of Inseq and of SHAP for the same scores of 10,000 tokens. Skipped
 * with the reason where Inseq and SHAP cannot be installed.
 */
const TOKENS = 10_000;
const HERE = join(ROOT, 'bench/heat-maps');
const CACHE = resolve(process.env.LIGHTWELL_CACHE ?? join(homedir(), '.cache/lightwell'), 'heat-maps');

const why = whyNoPython();
const environment = why === undefined ? environmentWith(CACHE, join(HERE, 'requirements.txt')) : { missing: why };
if ('missing' in environment) console.log(`heat-maps skipped: ${environment.missing}`);
else {
  buildAll();
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-heat-maps-'));
  const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
  try {
    writePages(environment.python, folder);
    /** @type {{ module: typeof import('./measure.ts') }} */
    const { module } = await runnerImport('./bench/heat-maps/measure.ts');
    const rows = [];
    for (const name of ['lightwell', 'inseq', 'shap']) {
      const file = join(folder, `${name}.html`);
      const measured = await module.measureHeatMap(browser, pathToFileURL(file).href);
      rows.push({ name, MB: (statSync(file).size / 1e6).toFixed(1), ...measured });
    }
    console.table(rows);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} python
 * @param {string} folder
 */
function writePages(python, folder) {
  const words = ['the ', 'capital ', 'of ', 'cat ', 'explanation ', 'river. '];
  const data = Array.from({ length: TOKENS }, (_, at) => words[(at * 7) % words.length]);
  const values = data.map((_, at) => Math.sin(at * at));
  const scores = join(folder, 'scores.json');
  writeFileSync(scores, JSON.stringify({ data, values, output_names: ' yes' }));
  output(python, [join(HERE, 'draw.py'), scores, folder]);
  const program = join(ROOT, 'build/server/lightwell.mjs');
  const html = output(process.execPath, [program, 'render', scores, '--html', '--interactive']);
  writeFileSync(join(folder, 'lightwell.html'), html);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function output(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: Infinity });
  return status === 0 ? stdout : giveUp(`${program} ${args.join(' ')}: ${stderr.slice(-600)}`);
}
