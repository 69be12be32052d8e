import { readLines } from '../../src/client/read-lines.ts';
import { describe, expect, it } from 'vitest';
import { ExplainResponse } from '../../src/contract/explain.ts';
import { STREAM_TYPE } from '../../src/contract/wire/stream.ts';
import { createPage, post } from '../support/fakes/page.ts';

const base = {
  model: 'lightwell-base',
  prompt: 'I am a programmer and French. My favourite food is',
  target: ' pizza',
};
const ask = async (body: object) => {
  const response = await createPage().router.fetch(post('/explain', { ...base, ...body }));
  return ExplainResponse.parse(await response.json());
};

describe('POST /explain, streamed', () => {
  it('streams progress with partial explanations to a client that asks for it', async () => {
    const headers = { Accept: STREAM_TYPE };
    const response = await createPage().router.fetch(post('/explain', base, { headers }));
    expect(response.headers.get('Content-Type')).toBe(STREAM_TYPE);
    const lines: unknown[] = [];
    for await (const line of readLines(response)) lines.push(JSON.parse(line));
    expect(lines.slice(0, -1).every((line) => Object.keys(line as object)[0] === 'progress')).toBe(true);
    expect(lines.at(-1)).toEqual({ response: await ask({}) });
  });

  it('answers a bad request plainly even to a client that asks for a stream', async () => {
    const headers = { Accept: STREAM_TYPE };
    const response = await createPage().router.fetch(post('/explain', { ...base, target: '' }, { headers }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
