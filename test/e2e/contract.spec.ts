import { expect } from '@playwright/test';
import { call, embed, explain, MODEL, scoresOf } from './calls.ts';
import { test } from './fixture.ts';
import { MALFORMED, startsWith } from '../support/malformed.ts';

test.describe('the contract, through fetch in the page', () => {
  test('embeds', async ({ app }) => {
    const { status, body } = await embed(app, 'An apple a day', {
      layers: [0, -1],
      pooling: ['mean', 'max'],
      tokens: true,
    });
    expect(status).toBe(200);
    expect(body.tokens?.join('').trim()).toBe('An apple a day');
    expect(body.num_tokens_prompt_total).toBe(body.tokens?.length);
    const pooled = Object.entries(body.embeddings);
    expect(pooled.map(([layer]) => layer)).toEqual(['layer_0', expect.stringMatching(/^layer_[1-9]\d*$/)]);
    const widths = pooled.flatMap(([, { mean, max }]) => [mean?.length, max?.length]);
    expect(widths).toEqual(Array(4).fill(widths[0]));
    expect(widths[0]).toBeGreaterThan(0);
  });

  test('explains', async ({ app }) => {
    const { status, body } = await explain(app, 'An apple a day', ' keeps the doctor away', { normalize: true });
    expect(status).toBe(200);
    const [scores = []] = scoresOf(body);
    expect([Math.min(...scores), Math.max(...scores)]).toEqual([0, 1]);
    expect(body.explanations[0]?.items.map(({ type }) => type)).toEqual(['text', 'target']);
  });

  test('lists its models and describes itself', async ({ app }) => {
    const settings = await call<{ name: string }[]>(app, '/model-settings', undefined, { method: 'GET' });
    expect(settings.body.map(({ name }) => name)).toContain(MODEL);
    const document = await call<{ paths: object }>(app, '/openapi.json', undefined, { method: 'GET' });
    expect(Object.keys(document.body.paths)).toEqual(expect.arrayContaining(['/embed', '/explain', '/model-settings']));
  });

  test('refuses strangers, what is to come, and what is not there', async ({ app }) => {
    const body = { model: MODEL, prompt: 'a' };
    const answers = {
      'no token': await call(app, '/embed', body, { token: null }),
      'a wrong token': await call(app, '/embed', body, { token: 'wrong' }),
      'no token, unknown path': await call(app, '/nowhere', body, { token: null }),
      qa: await call(app, '/qa', { query: 'Who?', documents: [{ text: 'Nobody.' }] }),
      semantic: await call(app, '/batch_semantic_embed', { prompts: ['a'], representation: 'symmetric' }),
      'unknown path': await call(app, '/nowhere', body),
      'wrong method': await call(app, '/embed', undefined, { method: 'DELETE' }),
    };
    const codes = Object.entries(answers).map(
      ([
        name,
        {
          status,
          body: { code },
        },
      ]) => [name, status, code],
    );
    expect(codes).toEqual([
      ['no token', 401, 'UNAUTHORIZED'],
      ['a wrong token', 401, 'UNAUTHORIZED'],
      ['no token, unknown path', 401, 'UNAUTHORIZED'],
      ['qa', 501, 'NOT_IMPLEMENTED'],
      ['semantic', 501, 'NOT_IMPLEMENTED'],
      ['unknown path', 404, 'NOT_FOUND'],
      ['wrong method', 405, 'METHOD_NOT_ALLOWED'],
    ]);
  });

  test(`refuses ${MALFORMED.length} malformed bodies, says where, and works on`, async ({ app }) => {
    for (const { name, path, body, status = 400, code = 'PAYLOAD_ERROR', at } of MALFORMED) {
      const answer = await call(app, path, body);
      expect.soft([answer.status, answer.body.code], `${name}: ${answer.body.error}`).toEqual([status, code]);
      if (at) expect.soft(answer.body.error, name).toMatch(startsWith(at));
    }
    expect((await embed(app, 'An apple a day')).status).toBe(200);
  });
});
