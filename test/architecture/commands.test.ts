import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../checks.mjs';

const MOST_SCRIPTS = 20;

/** What a program of the repository says when it refuses its arguments. */
function refusalOf(...args: readonly string[]): string {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  return stderr;
}

const read = (path: string): string => readFileSync(path, 'utf8');

describe('package.json', () => {
  it('denies every install script of a dependency', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
    const denied = Object.entries(allowScripts).filter(([, isAllowed]) => !isAllowed);
    expect(running.map(([path]) => path.replace(/^.*node_modules\//, ''))).toEqual(denied.map(([name]) => name));
  });
  it('has few scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(MOST_SCRIPTS);
  });
});

describe('the checks', () => {
  const names = CHECKS.map(({ name }) => name);

  it('have different names', () => expect(new Set(names).size).toBe(names.length));
  it.each(CHECKS.flatMap(({ name, needs = [] }) => needs.map((needed) => [name, needed] as const)))(
    '%s follows %s, which it needs',
    (name, needed) => {
      expect(names).toContain(needed);
      expect(names.indexOf(needed)).toBeLessThan(names.indexOf(name));
    },
  );
  it('build as `npm run build` does', () =>
    expect(CHECKS.find(({ name }) => name === 'build')?.commands).toEqual([
      ['vite', 'build'],
      ['tsc', '-p', 'src/service'],
    ]));
  it.each(['units', '--al'])('refuse %s, with the list', (name) => {
    const said = refusalOf('test/run.mjs', name);
    for (const each of names) expect(said).toContain(each);
  });
});

describe('the workflows', () => {
  it.each(['ci', 'release'])('pin each action by its commit: %s', (name) => {
    const actions = [...read(`.github/workflows/${name}.yml`).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions).not.toEqual([]);
    for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });
});

describe('npm run bench', () => {
  it('refuses a section that there is not, with the list', () =>
    expect(refusalOf('bench/run.mjs', 'sok')).toMatch(/soak, visits, embeddings.* got "sok"/));
});
