// @ts-check

/** @typedef {import('vitest/node').TestCase} TestCase */

/**
 * Prints which check passed in which browser, in which version and how long it took.
 *
 * @type {import('vitest/node').Reporter}
 */
export const TABLE = {
  onTestRunEnd(modules) {
    /** @type {Map<string, Record<string, string>>} */
    const checks = new Map();
    for (const suite of modules.flatMap((module) => [...module.children.suites()])) {
      const tests = [...suite.children.allTests()];
      const browser = tests.map((test) => test.meta().browser).find(Boolean) ?? suite.name;
      for (const test of tests) checks.set(test.name, { ...checks.get(test.name), [browser]: outcomeOf(test) });
    }
    console.table(Object.fromEntries(checks));
  },
};

/** @param {TestCase} test */
function outcomeOf(test) {
  const { state } = test.result();
  const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
  return state === 'skipped' ? 'not asked for' : `${state}, ${seconds} s`;
}
