import { expect } from '@playwright/test';
import { embed, MODEL, textOfTokens } from '../calls.ts';
import { test } from '../fixture.ts';
import { watchJobs } from '../worker-jobs.ts';

test.describe('one worker, many requests', () => {
  test('an abort in the middle rejects, and frees the slot before the work is done', async ({ app }) => {
    const prompt = await textOfTokens(app, 200);
    const slow = { model: MODEL, prompt, target: ' and went home', prompt_granularity: { type: 'token' } };
    const jobs = await watchJobs(app);
    const aborting = await app.evaluateHandle((text) => {
      const controller = new AbortController();
      const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
      const request = lightwell.fetch('/explain', { method: 'POST', headers, body: text, signal: controller.signal });
      const outcome = request.then(
        () => 'answered',
        (error: Error) => error.name,
      );
      return { controller, outcome };
    }, JSON.stringify(slow));
    await jobs.begun('explain');
    expect(
      await aborting.evaluate(({ controller, outcome }) => {
        controller.abort();
        return outcome;
      }),
    ).toBe('AbortError');
    expect((await embed(app, 'hello')).status).toBe(200);
    await expect.poll(() => jobs.ends('explain')).toEqual(['cancelled']);
  });

  test('a nice request waits for a normal one that came after it', async ({ app }) => {
    const order = await app.evaluate(async (model) => {
      const done: string[] = [];
      const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
      const send = async (name: string, path: string): Promise<void> => {
        const body = JSON.stringify({ model, prompt: 'An apple a day', target: ' keeps the doctor away' });
        const response = await lightwell.fetch(path, { method: 'POST', headers, body });
        await response.json();
        done.push(`${name} ${response.status}`);
      };
      await Promise.all([
        send('running', '/explain'),
        send('nice', '/explain?nice=true'),
        send('nicer', '/explain?nice=true'),
        send('normal', '/explain'),
      ]);
      return done;
    }, MODEL);
    expect(order).toEqual(['running 200', 'normal 200', 'nice 200', 'nicer 200']);
  });
});
