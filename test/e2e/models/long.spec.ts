import { expect } from '@playwright/test';
import { explain, scoresOf, textOfTokens } from '../calls.ts';
import { test } from '../fixture.ts';

test('explains 125 prompt tokens for each of 7 target tokens', async ({ app }) => {
  const prompt = await textOfTokens(app, 125);
  const target = ` ${await textOfTokens(app, 7)}`;
  const { status, body } = await explain(app, prompt, target, { target_granularity: 'token' });
  expect(status).toBe(200);
  const scores = scoresOf(body);
  expect([6, 7, 8]).toContain(scores.length); // a space before the target can join or part a token
  for (const row of scores) {
    expect(row.length).toBe(125);
    expect(row.every(Number.isFinite)).toBe(true);
  }
});
