import { expect } from '@playwright/test';
import { fuzzPage } from '../../conformance/fuzz/page-bodies.ts';
import { test } from '../fixture.ts';

/** `npm test -- fuzz` sends 100,000. */
const BODIES = 200;

test(`${BODIES} mutated bodies are answered as the service describes itself`, async ({ app }) => {
  const problems: string[] = [];
  const { counts } = await fuzzPage(app, {
    bodies: BODIES,
    seed: 1,
    onProblem: (problem) => problems.push(problem),
    onProgress: () => undefined,
  });
  expect(problems).toEqual([]);
  expect(counts[200]).toBeGreaterThan(BODIES / 20);
});
