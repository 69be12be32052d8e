// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { chromium } from 'playwright';
import { buildAll } from '../../server/setup/build.mjs';
import { giveUp, installDependencies, ROOT } from '../../server/setup/dependencies.mjs';
import { provideChromium } from '../support/browser/chromium.mjs';
import { environmentWith, whyNoPython } from '../support/python.mjs';

/**
 * `npm test -- notebook`: the wheel of `python/` draws a heat map in JupyterLab, in Chromium, and tells Python what is selected.
 * Downloads 100 MB of packages into LIGHTWELL_CACHE, else `~/.cache/lightwell`, once; skipped with the reason where they cannot be
 * installed.
 */
const CACHE = resolve(process.env.LIGHTWELL_CACHE ?? join(homedir(), '.cache/lightwell'), 'notebook');
const FIXTURE = join(ROOT, 'test/support/figures/foreign/captum.json');

installDependencies();
const why = whyNoPython();
const environment =
  why === undefined ? environmentWith(CACHE, join(ROOT, 'test/notebook/requirements.txt')) : { missing: why };
if ('missing' in environment) console.log(`notebook skipped: ${environment.missing}`);
else await check(environment.python);

/** @param {string} python */
async function check(python) {
  buildAll();
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-notebook-'));
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target', `${folder}/own`];
  const { status } = spawnSync(python, [...install, join(ROOT, 'python')], { stdio: 'inherit' });
  if (status !== 0) giveUp(`pip install python: expected to end with 0, got ${status}`);
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'work/scores.json'), JSON.stringify(JSON.parse(readFileSync(FIXTURE, 'utf8')).value));
  writeFileSync(join(folder, 'work/picture.ipynb'), JSON.stringify(notebook()));
  const options = ['--no-browser', '--allow-root', '--port=0', `--ServerApp.root_dir=${folder}/work`];
  const env = { ...process.env, PYTHONPATH: join(folder, 'own'), JUPYTER_CONFIG_DIR: folder, HOME: folder };
  const server = spawn(python, ['-m', 'jupyterlab', ...options], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await draw(await addressOf(server));
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From scores to a picture in three lines, the section that is selected, and a value that is refused. */
function notebook() {
  const cells = [
    [
      'import json',
      'from lightwell_heatmap import HeatMap',
      'picture = HeatMap(json.load(open("scores.json"))); picture',
    ],
    ['print("selected", picture.selected)'],
    ['HeatMap({"tokens": []})'],
  ].map((lines) => ({ cell_type: 'code', metadata: {}, outputs: [], execution_count: null, source: lines.join('\n') }));
  const kernel = { name: 'python3', display_name: 'Python 3', language: 'python' };
  return { cells, metadata: { kernelspec: kernel }, nbformat: 4, nbformat_minor: 4 };
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<URL>}  with the token
 */
async function addressOf({ stderr }) {
  if (stderr === null) throw new Error('jupyterlab: expected its messages');
  for await (const line of createInterface(stderr)) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/lab\S*/.exec(line) ?? [];
    if (address === undefined) continue;
    stderr.resume();
    return new URL(address);
  }
  return giveUp('jupyterlab: expected an address, it ended without one');
}

/** @param {URL} url */
async function draw(url) {
  const browser = await chromium.launch({ executablePath: await provideChromium(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  try {
    await page.goto(new URL(`lab/tree/picture.ipynb${url.search}`, url).href);
    await page.getByText('print("selected"').first().waitFor({ timeout: 120_000 });
    await page.getByRole('menuitem', { name: 'Run', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Run All Cells', exact: true }).click();
    const map = page.locator('lightwell-heat-map');
    await expect(map.locator('[data-section]')).toHaveCount(18, { timeout: 120_000 });
    const paris = map.locator('[data-section]', { hasText: 'Paris' });
    await expect(paris).toHaveAccessibleName('Paris, +0.15');
    await paris.click();
    await page.getByText('print("selected"').first().click();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText("selected {'id':")).toContainText("'start': 30, 'length': 5");
    const refusal = 'scores: expected an object with request and response';
    await expect(page.getByRole('alert').filter({ hasText: refusal })).toBeVisible();
    if (process.env.PICTURES === '1') await page.screenshot({ path: join(ROOT, 'test-results/notebook.png') });
    console.log('JupyterLab shows the heat map, and Python knows the selected section');
  } finally {
    await browser.close();
  }
}
