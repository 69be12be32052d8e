// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildAll } from '../../../server/setup/build.mjs';
import { giveUp, installDependencies, ROOT } from '../../../server/setup/dependencies.mjs';
import { serveBuild } from '../../support/lightwell-serve.mjs';
import { environmentWith, whyNoPython } from '../../support/python.mjs';

/**
 * `npm test -- harness`: EleutherAI's harness rates 100 items through `/v1/completions` of `lightwell serve`, unchanged, and each
 * log-likelihood is compared with the one of `/evaluate`. Downloads 180 MB of packages into LIGHTWELL_CACHE, else
 * `~/.cache/lightwell`, once; skipped with the reason where they cannot be installed.
 */
const HERE = join(ROOT, 'test/conformance/lm-eval');
const CACHE = resolve(process.env.LIGHTWELL_CACHE ?? join(homedir(), '.cache/lightwell'), 'lm-eval');
const MODEL = 'lightwell-base';
const ITEMS = 100;
/** Largest difference of two log-likelihoods, nats. */
const TOLERANCE_NATS = 1e-5;

installDependencies();
const why = whyNoPython();
const environment = why === undefined ? environmentWith(CACHE, join(HERE, 'requirements.txt')) : { missing: why };
if ('missing' in environment) console.log(`lm-eval skipped: ${environment.missing}`);
else await check(environment.python);

/** @param {string} python */
async function check(python) {
  buildAll();
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-lm-eval-'));
  const server = await serveBuild();
  try {
    rate(python, folder, server);
    await compare(join(folder, 'out', MODEL), server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Writes the task, and has the harness rate it.
 *
 * @param {string} python
 * @param {string} folder
 * @param {{ url: string, token: string }} server
 */
function rate(python, folder, { url, token }) {
  mkdirSync(join(folder, 'task'));
  const lines = items().map((item) => JSON.stringify(item));
  writeFileSync(join(folder, 'task/items.jsonl'), lines.join('\n'));
  writeFileSync(join(folder, 'task/task.yaml'), readFileSync(join(HERE, 'task.yaml')));
  const model = { model: MODEL, base_url: `${url}v1/completions`, tokenizer: join(ROOT, 'public/models', MODEL) };
  const options = {
    model: 'local-completions',
    model_args: Object.entries(model)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    include_path: '.',
    tasks: 'restaurants',
    output_path: join(folder, 'out'),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { status } = spawnSync(python, ['-m', 'lm_eval', 'run', '--log_samples'].concat(args), {
    cwd: join(folder, 'task'),
    env: { ...process.env, OPENAI_API_KEY: token, HF_HUB_OFFLINE: '1', HF_DATASETS_CACHE: join(folder, 'datasets') },
    stdio: 'inherit',
  });
  if (status !== 0) giveUp(`lm_eval: expected to end with 0, got ${status}`);
}

/** Bookings, each with the name of its restaurant as the continuation, or that of another one. */
function items() {
  const names = ["Luigi's", 'the Anchor', 'Casa Rosa', 'the Lemon Tree', 'Bella Vista'];
  const cities = ['Oakland', 'Berlin', 'Lisbon', 'Dublin', 'Vienna', 'Boston', 'Geneva', 'Prague', 'Austin', 'Naples'];
  return names.flatMap((name, i) =>
    cities.flatMap((city) =>
      [name, names[(i + 1) % names.length]].map((continuation) => ({
        context: `User: A table at ${name} in ${city}, please.\nAssistant: Booked.\nRestaurant:`,
        continuation: ` ${continuation}`,
      })),
    ),
  );
}

/**
 * @param {string} folder  of the samples that the harness has logged
 * @param {{ url: string, token: string }} server
 */
async function compare(folder, { url, token }) {
  const file = readdirSync(folder).find((name) => name.startsWith('samples_')) ?? giveUp(`${folder}: expected samples`);
  const samples = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  let largest = samples.length === ITEMS ? 0 : NaN;
  for (const sample of samples) {
    const { doc, resps } = JSON.parse(sample);
    const response = await fetch(`${url}api/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: MODEL, prompt: doc.context, completion_expected: doc.continuation }),
    });
    const { result } = await response.json();
    largest = Math.max(largest, Math.abs(result.log_probability - Number(resps[0][0][0])));
  }
  console.log(`${samples.length} log-likelihoods; largest difference to /evaluate: ${largest.toExponential(1)} nats`);
  process.exitCode = largest <= TOLERANCE_NATS ? 0 : 1;
}
