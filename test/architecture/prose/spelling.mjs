// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../../../server/setup/dependencies.mjs';

/**
 * Spelling, with what cspell remembers of files that have not changed. Its own cache does not see that a word was taken from
 * the list: each list, configuration and version has a cache of its own here.
 */
const CACHES = join(ROOT, 'node_modules/.cache');
const CONFIG = 'test/architecture/prose/cspell.json';
const JUDGES = [CONFIG, 'test/architecture/prose/words.txt', 'package-lock.json'];

const digest = createHash('sha256');
for (const path of JUDGES) digest.update(readFileSync(join(ROOT, path)));
const cache = `cspell-${digest.digest('hex').slice(0, 16)}`;
mkdirSync(CACHES, { recursive: true });
for (const name of readdirSync(CACHES))
  if (name.startsWith('cspell-') && name !== cache) rmSync(join(CACHES, name), { force: true });

const quiet = ['--dot', '--no-progress', '--no-summary'];
const cached = ['--cache', '--cache-strategy', 'content', '--cache-location', join(CACHES, cache)];
process.exit(run('npx', ['cspell', 'lint', '-c', CONFIG, ...quiet, ...cached]) ? 0 : 1);
