import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/prompt.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeModel } from '../support/fakes/fake-model.ts';
import { createPage, post } from '../support/fakes/page.ts';

const embed = { model: 'lightwell-base', prompt: 'Rome', layers: [0], pooling: ['mean'] };

const refusal = async (request: Request, page = createPage()) => {
  const response = await page.router.fetch(request);
  return { status: response.status, ...ErrorBody.parse(await response.json()), response };
};

describe('time, queue and abort', () => {
  const slow = () => createPage({ model: createFakeModel({ delayMs: 3000 }), timeoutMs: 1000, maxWaiting: 1 });

  it('answers 408 after the time-out', async () => {
    expect(await refusal(post('/embed', embed), slow())).toMatchObject({ status: 408, code: 'TIMEOUT' });
  });

  it('answers 503 with Retry-After when the queue is full', async () => {
    const page = slow();
    const answers = await Promise.all([1, 2, 3].map(() => refusal(post('/embed', embed), page)));
    const full = answers.find(({ code }) => code === 'QUEUE_FULL');
    expect(full).toMatchObject({ status: 503 });
    expect(full?.response.headers.get('Retry-After')).toBe('2');
  });

  it('rejects with AbortError when the request is aborted, as fetch does', async () => {
    const aborting = new AbortController();
    const model = createFakeModel({ delayMs: 200 });
    const page = createPage({ model });
    const answer = page.router.fetch(post('/embed', embed, { signal: aborting.signal }));
    const outcome = answer.then(
      () => 'answered',
      (error: Error) => error.name,
    );
    await eventually(() => expect(model.runs).not.toEqual([]));
    aborting.abort();
    expect(await outcome).toBe('AbortError');
    expect((await page.router.fetch(post('/embed', embed))).status).toBe(200);
  });

  it('answers 500 with a reason, never a hang, when the engine breaks', async () => {
    const page = createPage({ provide: () => Promise.reject(new TypeError('broken')) });
    expect(await refusal(post('/embed', embed), page)).toMatchObject({ status: 500, code: 'INTERNAL' });
  });

  it('runs again once when the worker dies under a request', async () => {
    const model = createFakeModel({ delayMs: 200 });
    const page = createPage({ model });
    const answer = page.router.fetch(post('/embed', embed));
    await eventually(() => expect(model.runs).not.toEqual([]));
    page.workers[0]?.onlost?.('killed by the test');
    expect((await answer).status).toBe(200);
    expect(page.workers).toHaveLength(2);
  });
});
