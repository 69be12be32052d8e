import type { Reporter, TestCase, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** Name and version of the browser that ran. */
    browser?: string;
  }
}

/** Prints which check passed in which browser, in which version, and what was skipped with its reason. */
export default class Table implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = modules.flatMap((module) => [...module.children.suites()]);
    const checks = new Map<string, Record<string, string>>();
    for (const suite of suites) {
      const tests = [...suite.children.allTests()];
      const browser = tests.map((test) => test.meta().browser).find(Boolean) ?? suite.name;
      for (const test of tests) checks.set(test.name, { ...checks.get(test.name), [browser]: outcomeOf(test) });
    }
    console.table(Object.fromEntries(checks));
  }
}

function outcomeOf(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped') return `skipped: ${result.note ?? 'not asked for'}`;
  const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
  return `${result.state}, ${seconds} s`;
}
