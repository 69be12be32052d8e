import { fileURLToPath } from 'node:url';
import type { LaunchOptions } from '@playwright/test';
import { findHeadless } from '../support/browser/chromium.mjs';
import { LATE_OPTIMISATION } from '../support/browser/late-optimisation.ts';

/** Starts a browser on one core; Linux. */
const ONE_CORE = fileURLToPath(new URL('../support/browser/one-core.sh', import.meta.url));

/** Keeps a browser from talking to its maker: a request during a test is then the page's own. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--host-resolver-rules=MAP rebound.example 127.0.0.1', // a foreign name that was made to resolve to this machine
  '--no-sandbox', // root, as in containers, has no sandbox to start
];

/** WebGPU without a GPU: Chromium then offers its software adapter, some 50 times slower than WebAssembly. */
const SOFTWARE_WEBGPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

/** What a browser of the tests is to have. */
interface Wanted {
  readonly webgpu: boolean;
  /** Of the processor. On one the network's runtime has one thread, whose passes take half the processor time: two wait for each other. */
  readonly cores?: 'one' | 'all';
}

/** How the headless shell is started, or Chromium where there is none; Playwright's own build where none is named or installed. */
export async function launchOptions({ webgpu, cores = 'all' }: Wanted): Promise<LaunchOptions> {
  const executablePath = await findHeadless();
  const args = [...QUIET, `--js-flags=${LATE_OPTIMISATION}`, ...(webgpu ? SOFTWARE_WEBGPU : [])];
  if (executablePath === undefined) return { args };
  if (cores === 'all' || process.platform !== 'linux') return { args, executablePath };
  return { args, executablePath: ONE_CORE, env: { ...process.env, BROWSER_PATH: executablePath } };
}
