import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from '@playwright/test';
import { plain } from '../fixture.ts';
import { ROOT } from '../package/packed.ts';
import { readRecipe, type Step } from './recipe.ts';

const RECIPES = join(ROOT, 'docs/recipes');

/** Large, and changed by no recipe. */
const LINKED = ['node_modules', 'public'];
const LEFT_OUT = new Set([...LINKED, '.git', 'dist', 'build', 'training', 'test-results', '.cache']);

/** A copy of the repository in which anything may be changed. */
const test = plain.extend<{ readonly copy: string }>({
  // Playwright wants the pattern even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  copy: async ({}, use) => {
    const copy = mkdtempSync(join(tmpdir(), 'lightwell-recipe-'));
    for (const name of readdirSync(ROOT).filter((each) => !LEFT_OUT.has(each)))
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name), 'junction');
    await use(copy);
    rmSync(copy, { recursive: true, force: true });
  },
});

// In one copy, because most of the time goes by checking its types: a recipe changes nothing that another one asks for.
test('the recipes work as they are written', ({ copy }) => {
  const commands = new Set<string>();
  for (const name of readdirSync(RECIPES)) {
    const { steps } = readRecipe(readFileSync(join(RECIPES, name), 'utf8'));
    expect(new Set(steps.map(({ kind }) => kind)), name).toContain('file');
    expect(steps.at(-1)?.kind, name).toBe('commands');
    for (const step of steps)
      if (step.kind === 'commands') for (const command of step.text.trim().split('\n')) commands.add(command);
      else write(step, copy);
  }
  for (const command of joined([...commands], copy)) run(command, copy);
});

const UNIT_TESTS = 'npx vitest run -c test/vitest.config.ts --project unit ';

/** The same, with all unit tests in one command, because most of the time goes by starting it. */
function joined(commands: readonly string[], copy: string): string[] {
  const paths = commands.filter((each) => each.startsWith(UNIT_TESTS)).flatMap((each) => pathsIn(each));
  for (const path of paths) expect(existsSync(join(copy, path)), path).toBe(true); // alone, a wrong one would fail
  const others = commands.filter((each) => !each.startsWith(UNIT_TESTS));
  return [...others, UNIT_TESTS + paths.join(' ')];
}

const pathsIn = (command: string): string[] => command.slice(UNIT_TESTS.length).split(' ');

function write(step: Exclude<Step, { readonly kind: 'commands' }>, copy: string): void {
  const path = join(copy, step.path);
  expect(relative(copy, path)).not.toMatch(/^\.\./);
  if (step.kind === 'file') {
    expect(existsSync(path), `${step.path} is new`).toBe(false);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
    return;
  }
  const parts = readFileSync(path, 'utf8').split(step.before);
  expect(parts, `${step.path} holds these lines once:\n${step.before}`).toHaveLength(2);
  writeFileSync(path, parts.join(step.after));
}

function run(command: string, cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' });
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
}
