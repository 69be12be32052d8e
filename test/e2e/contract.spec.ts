import { expect } from '@playwright/test';
import { call, embed, explain, MODEL, scoresOf } from './calls.ts';
import { test } from './fixture.ts';
import { MALFORMED } from './malformed.ts';

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
    const layers = Object.entries(body.embeddings);
    expect(layers).toHaveLength(2);
    for (const [name, pooled] of layers) {
      expect(name).toMatch(/^layer_\d+$/);
      expect([pooled.mean?.length, pooled.max?.length]).toEqual([5120, 5120]);
    }
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

  for (const [name, token] of Object.entries({ 'no token': null, 'a wrong token': 'wrong' })) {
    test(`answers 401 to ${name}`, async ({ app }) => {
      const { status, body } = await call(app, '/embed', { model: MODEL, prompt: 'a' }, { token });
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
    });
  }

  for (const [path, body] of Object.entries({
    '/qa': { query: 'Who?', documents: [{ text: 'Nobody.' }] },
    '/batch_semantic_embed': { model: MODEL, prompts: ['a'], representation: 'symmetric' },
  })) {
    test(`answers 501 on ${path}, which is to come`, async ({ app }) => {
      const { status, body: failure } = await call(app, path, body);
      expect([status, failure.code]).toEqual([501, 'NOT_IMPLEMENTED']);
    });
  }

  test('knows no other path and no other method', async ({ app }) => {
    const nowhere = await call(app, '/nowhere', {});
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'NOT_FOUND']);
    const deleted = await call(app, '/embed', undefined, { method: 'DELETE' });
    expect([deleted.status, deleted.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
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

/** The path stands first, and whole: `prompt` must not pass for `prompt[0].type`. */
function startsWith(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.[\]]/g, String.raw`\$&`)}:? `);
}
