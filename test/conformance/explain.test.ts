import { describe, expect, it } from 'vitest';
import { ExplainResponse } from '../../src/contract/explain.ts';
import { STREAM_TYPE } from '../../src/contract/stream.ts';
import { linesOf } from '../../src/client/lines.ts';
import { createPage, post } from '../support/page.ts';

const base = {
  model: 'lightwell-base',
  prompt: 'I am a programmer and French. My favourite food is',
  target: ' pizza',
};
const ask = async (body: object) => {
  const response = await createPage().router.fetch(post('/explain', { ...base, ...body }));
  return ExplainResponse.parse(await response.json());
};

describe('POST /explain', () => {
  it('answers one explanation with a trailing, empty target item by default', async () => {
    const { explanations } = await ask({});
    expect(explanations).toHaveLength(1);
    expect(explanations[0]?.target).toBe(' pizza');
    expect(explanations[0]?.items.map(({ type }) => type)).toEqual(['text', 'target']);
    expect(explanations[0]?.items[1]?.scores).toEqual([]);
  });

  it('answers one explanation per target token, named by the token with its space', async () => {
    const { explanations } = await ask({ target: ' pizza with cheese', target_granularity: 'token' });
    expect(explanations.map(({ target }) => target).join('')).toBe(' pizza with cheese');
    expect(explanations.length).toBeGreaterThan(1);
  });

  it('cuts sentences as recorded: {0,29} and {30,20}', async () => {
    const { explanations } = await ask({ prompt_granularity: { type: 'sentence' } });
    expect(explanations[0]?.items[0]?.scores).toMatchObject([
      { start: 0, length: 29 },
      { start: 30, length: 20 },
    ]);
  });

  it('leaves a custom delimiter out of the spans, and ignores it for other types', async () => {
    const custom = await ask({ prompt: 'aa###bbb', prompt_granularity: { type: 'custom', delimiter: '###' } });
    expect(custom.explanations[0]?.items[0]?.scores).toMatchObject([
      { start: 0, length: 2 },
      { start: 5, length: 3 },
    ]);
    const word = await ask({ prompt: 'aa bbb', prompt_granularity: { type: 'word', delimiter: 'string' } });
    expect(word.explanations[0]?.items[0]?.scores).toHaveLength(2);
  });

  it('answers bare numbers for token ids, whatever the granularity', async () => {
    const prompt = [
      { type: 'token_ids', data: [300, 301, 302] },
      { type: 'text', data: 'One. Two.' },
    ];
    const { explanations } = await ask({ prompt, prompt_granularity: { type: 'sentence' } });
    expect(explanations[0]?.items[0]).toMatchObject({
      type: 'token_ids',
      scores: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(explanations[0]?.items[1]?.scores).toHaveLength(2);
  });

  it('squares each difference', async () => {
    const scores = async (postprocessing: string) => {
      const { explanations } = await ask({ target_granularity: 'token', postprocessing });
      const items = explanations.flatMap((explanation) => explanation.items);
      return items.flatMap((item) => item.scores.map((score) => (typeof score === 'number' ? score : score.score)));
    };
    const plain = await scores('none');
    expect(plain.some((score) => score < 0)).toBe(true);
    (await scores('square')).forEach((score, i) => expect(score).toBeCloseTo((plain[i] ?? 0) ** 2, 6));
  });

  it('streams progress with partial explanations to a client that asks for it', async () => {
    const headers = { Accept: STREAM_TYPE };
    const response = await createPage().router.fetch(post('/explain', base, { headers }));
    expect(response.headers.get('Content-Type')).toBe(STREAM_TYPE);
    const lines: unknown[] = [];
    for await (const line of linesOf(response)) lines.push(JSON.parse(line));
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
