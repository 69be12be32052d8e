import { describe, expect, it } from 'vitest';
import { clockRule } from './clocks.ts';
import { docRule } from './docs.ts';
import { readApp, readRepository, readTree, type Rule } from './source.ts';
import { lengthRule, machinePathRule, skipRule } from './text.ts';
import { anyRule, castRule } from './typing.ts';

/** What a rule says about one made-up file. */
const said = (rule: Rule, text: string, path = 'src/contract/a.ts'): string[] => rule([{ path, text }]);

describe('the text', () => {
  const app = readApp();
  const repository = readRepository();
  const tests = readTree('test').filter(({ path }) => /\.tsx?$/.test(path));

  it('has no any', () => expect(anyRule(app)).toEqual([]));
  it('casts rarely', () => expect(castRule(app)).toEqual([]));
  it('documents what crosses between rooms', () => expect(docRule(app)).toEqual([]));
  it('keeps files short', () => expect(lengthRule(repository)).toEqual([]));
  it('names no path of one machine', () => expect(machinePathRule(repository)).toEqual([]));
  it('asks no clock in a test', () => expect(clockRule(tests)).toEqual([]));
  it('skips no test without a reason', () => expect(skipRule(tests)).toEqual([]));
});

describe('anyRule', () => {
  it.each(['let a: any;', 'const f = (a: any[]) => a;', 'let m: Map<string, any>;'])('refuses %s', (text) =>
    expect(said(anyRule, text)).toEqual(['src/contract/a.ts:1: any']),
  );
  it('lets the word stand in text', () => expect(said(anyRule, "// any\nconst any = 'any';")).toEqual([]));
});

describe('castRule', () => {
  it('counts casts against the lines', () => {
    expect(said(castRule, 'let a = b as A;\nlet c = <C>d;')[0]).toBe('2 casts in 2 lines, 1 allowed');
  });
  it('counts a double cast twice', () => expect(said(castRule, 'let a = b as unknown as A;')).toHaveLength(3));
  it('leaves `as const` and `satisfies` free', () => {
    expect(said(castRule, 'let a = [1] as const;\nlet b = [2] as const;\nlet c = 3 satisfies number;')).toEqual([]);
  });
});

describe('docRule', () => {
  it.each([
    ['a bare export', 'export const a = 1;'],
    ['a line comment', '// not a docstring\nexport function a() {}'],
    ['a docstring of something else', '/** Of b. */\nconst b = 1;\nexport const a = b;'],
    ['a plain block comment', '/* a */\nexport interface A {}'],
  ])('refuses %s', (_name, text) => expect(said(docRule, text)).toHaveLength(1));

  it.each([
    ['a documented export', '/** A. */\nexport const a = 1;'],
    ['overloads under one docstring', '/** A. */\nexport function a(): 1;\nexport function a(b?: 2) { return 1; }'],
    ['what is not exported', 'const a = 1;'],
  ])('allows %s', (_name, text) => expect(said(docRule, text)).toEqual([]));

  it('asks for four of five in other rooms', () => {
    const documented = ['a', 'b', 'c', 'd'].map((name) => `/** It. */\nexport const ${name} = 1;\n`).join('');
    expect(said(docRule, `${documented}export const e = 1;`, 'src/state/a.ts')).toEqual([]);
    expect(said(docRule, `${documented}export const e = 1, f = 2;`, 'src/state/a.ts')).toHaveLength(2);
  });
});

describe('lengthRule', () => {
  it('counts lines, not the last line break', () => {
    expect(said(lengthRule, 'a\n'.repeat(350))).toEqual([]);
    expect(said(lengthRule, 'a\n'.repeat(351))).toHaveLength(1);
  });
});

describe('machinePathRule', () => {
  // Put together here, so that this file does not break the rule that it tests.
  const path = (...parts: readonly string[]): string => ['', ...parts].join('/');

  it.each([
    path('home', 'ann', 'x'),
    `see ${path('root', '.cache')}`,
    `'${path('work', 'main')}'`,
    `"C:\\${'Users'}\\ann"`,
  ])('refuses %s', (text) => expect(said(machinePathRule, text)).toHaveLength(1));
  it.each(['/usr/bin/chromium', 'https://example.org/home/ann', '../work/a', 'src/root/a'])('allows %s', (text) =>
    expect(said(machinePathRule, text)).toEqual([]),
  );
});

describe('clockRule', () => {
  it.each([
    'const startedMs = performance.now();',
    'const startedMs = globalThis.performance.now();',
    'expect(Date.now() - startedMs).toBeLessThan(5000);',
    'process.cpuUsage();',
    'process.hrtime.bigint();',
    "console.time('load');",
    'page.evaluate(() => performance.now());',
    'const day = new Date();',
    'const { now } = performance;\nfit(performance?.now);',
  ])('refuses %s', (text) => expect(clockRule([{ path: 'test/a.test.ts', text }])).toHaveLength(1));
  it.each(["const day = new Date('2026-11-22');", 'createThrottle(push, { now: () => clock });', "'performance.now'"])(
    'allows %s',
    (text) => expect(clockRule([{ path: 'test/a.test.ts', text }])).toEqual([]),
  );
});

describe('skipRule', () => {
  it.each([
    'it.skip("a", () => {});',
    'test.fixme("a", f);',
    'it.skip.each([1])("a", f);',
    '// Because.\nit.only("a", f);',
  ])('refuses %s', (text) => expect(said(skipRule, text)).toHaveLength(1));
  it.each(['test.skip(isSlow, "needs a GPU");', '// Needs a GPU.\nit.skip("a", f);', 'queue.skip();'])(
    'allows %s',
    (text) => expect(said(skipRule, text)).toEqual([]),
  );
});
