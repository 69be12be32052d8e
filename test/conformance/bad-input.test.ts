import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/prompt.ts';
import { createPage, post } from '../support/fakes/page.ts';

const refusal = async (path: string, body: unknown) => {
  const response = await createPage().router.fetch(post(path, body));
  return { status: response.status, ...ErrorBody.parse(await response.json()) };
};

describe('the message of a refusal', () => {
  it.each([
    [
      'a word for a number',
      { prompt: [{ type: 'text', data: 'x', controls: [{ start: 0, length: 1, factor: 'high' }] }] },
      'prompt[0].controls[0].factor: expected a number, got "high"',
    ],
    [
      'a negative factor',
      { prompt: [{ type: 'token_ids', data: [1], controls: [{ index: 0, factor: -1 }] }] },
      'prompt[0].controls[0].factor: expected a number ≥ 0, got -1',
    ],
    [
      'an unknown item',
      { prompt: [{ type: 'video' }] },
      'prompt[0].type: expected one of "text", "token_ids", "image", got "video"',
    ],
    ['neither text nor items', { prompt: 3 }, 'prompt: expected a string or an array, got 3'],
    ['half a layer', { prompt: 'x', layers: [0.5] }, 'layers[0]: expected a whole number, got 0.5'],
    ['a layer out of range', { prompt: 'x', layers: [99] }, 'layers[0]: expected a layer from -3 to 2, got 99'],
    ['null for a switch', { prompt: 'x', normalize: null }, 'normalize: expected a boolean, got null'],
    ['no layers', { prompt: 'x', layers: [] }, 'layers: expected a non-empty array, got []'],
    ['a foreign operator', { prompt: 'x', hosting: 'x' }, 'hosting: expected null, "operator" or "lightwell", got "x"'],
  ])('says what was expected, what came and where: %s', async (_, change, error) => {
    expect(await refusal('/embed', { model: 'lightwell-base', ...change })).toMatchObject({ error });
  });

  it('takes NUL for a character like any other', async () => {
    const body = { model: 'lightwell-base', prompt: 'a\0b' };
    expect((await createPage().router.fetch(post('/embed', body))).status).toBe(200);
  });

  it.each([
    [
      'nested so deeply that no worker could receive it',
      50_000,
      /^response_format\.json_schema\.schema: expected a schema, got one that is nested too deeply/,
    ],
    ['nested deeply', 1_000, /^response_format\.json_schema\.schema: expected at most 64 schemas within each other/],
  ])('refuses a schema that is %s', async (_, depth, error) => {
    const schema = '{"items":'.repeat(depth) + 'true' + '}'.repeat(depth);
    const format = `{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}`;
    const body = `{"model":"lightwell-base","prompt":"a","response_format":${format}}`;
    const request = new Request(post('/complete', {}), { method: 'POST', body });
    const response = await createPage().router.fetch(request);
    expect(response.status).toBe(400);
    expect(ErrorBody.parse(await response.json()).error).toMatch(error);
  });

  it('refuses a schema of more characters than a worker should read', async () => {
    const schema = { description: 'a'.repeat(1_000_000) };
    const format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    const body = { model: 'lightwell-base', prompt: 'a', response_format: format };
    expect(await refusal('/complete', body)).toMatchObject({
      status: 400,
      error: 'response_format.json_schema.schema: expected at most 1000000 characters, got 1000018',
    });
  });
});
