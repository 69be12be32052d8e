import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { plain } from '../fixture.ts';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the package is tried: nothing of the repository is near. */
export interface Packed {
  /** An empty folder with the package installed. */
  install(): string;
  /** A copy of `examples/<name>` with the package installed. */
  installExample(name: string): string;
}

/** Runs npm and returns what it printed; its failure is the test's. */
export function npm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Tests of the package as npm packs it. */
export const test = plain.extend<object, { packed: Packed }>({
  packed: [
    // Playwright wants the pattern even where nothing is taken from it.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'lightwell-package-'));
      const tarballs = join(folder, 'tarball');
      mkdirSync(tarballs);
      npm(ROOT, 'pack', '--ignore-scripts', '--pack-destination', tarballs); // built already: prepack would build anew
      const [tarball = ''] = readdirSync(tarballs);
      const installIn = (app: string) => {
        writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }');
        npm(app, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--offline', join(tarballs, tarball));
        return app;
      };
      const installed = installIn(mkdtempSync(join(folder, 'app-')));
      await use({
        install: () => installed,
        installExample(name) {
          const app = mkdtempSync(join(folder, 'example-'));
          for (const from of [installed, join(ROOT, 'examples', name)]) cpSync(from, app, { recursive: true });
          return app;
        },
      });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
