import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEngineProxy } from '../../../../../../server/engine/engine-proxy.ts';
import type { ExplainJob } from '../../../../../../src/protocol/jobs.ts';
import { explainByAblationAt, prepareAt } from '../../../../../../workers/operations/explain/ablation/upstream.ts';
import { explainJob, QUIET, textPrompt } from '../../../../../support/fakes/jobs.ts';
import {
  type Answering,
  closeServers,
  completionServer,
  echoed,
  forced,
  idsOf,
  likelihoodOf,
  listening,
  promptLogProbabilities,
  tokensOf,
} from '../../../../../support/remote/completion-server.ts';

const PROMPT = "A table at Luigi's in Oakland, please. Two of us, at seven.\nRestaurant:";
const TARGET = " Luigi's";
const WORDS = [...PROMPT.matchAll(/\p{L}+(?:'\p{L}+)?|[^\s\p{L}]+/gu)].map(
  ({ 0: word, index }) => [index, index + word.length] as const,
);
const KEY = 'sk-secret-key-of-the-server';

afterEach(() => {
  closeServers();
  vi.restoreAllMocks();
});

/** Limits, and token ids as `completionServer` takes them. */
type Variation = { readonly maxTokens?: number; readonly silenceMs?: number; readonly ids?: typeof idsOf | undefined };

/** The server behind the local one, and jobs with its model. */
async function setUp(answer: Answering, { maxTokens, silenceMs = 5000, ids }: Variation = {}) {
  const server = await completionServer(answer, ids);
  const proxy = createEngineProxy({
    upstream: { address: server.address, token: KEY },
    isAuthorized: async () => true,
    limits: { silenceMs },
  });
  const local = await listening(proxy);
  const [url, token] = [`${local}/api/engine/v1/`, 'page'];
  const upstream = { url, address: server.address, model: 'm', token, maxTokens: maxTokens ?? null };
  const job = (change: Partial<ExplainJob>) =>
    explainJob({
      prompt: textPrompt(PROMPT),
      target: TARGET,
      method: 'deletion',
      target_granularity: 'complete',
      prompt_granularity: { type: 'word' },
      ...change,
    });
  return {
    ...server,
    local,
    upstream,
    explain: (change: Partial<ExplainJob> = {}, context = QUIET) =>
      explainByAblationAt(upstream, job(change), context, { backOffMs: [5, 10, 20] }),
  };
}

/** Scores by the server's own formula. */
const EXACT = WORDS.map(([start, end]) => {
  const rest = (PROMPT.slice(0, start) + PROMPT.slice(end).trimStart()).trimEnd();
  return likelihoodOf(PROMPT, TARGET) - likelihoodOf(rest, TARGET);
});

/** Answers that are wrong from a request on: what is asked later fails while the explanation runs. */
const wrongFrom =
  (first: number, wrong: (answer: ReturnType<typeof echoed>) => unknown): Answering =>
  (asked, _, count) =>
    count < first ? echoed(asked) : wrong(echoed(asked));

type Echoed = ReturnType<typeof echoed>;
const withLogprobs = (change: (logprobs: Echoed['choices'][0]['logprobs']) => object) => (answer: Echoed) => ({
  ...answer,
  choices: answer.choices.map((choice) => ({
    ...choice,
    logprobs: { ...choice.logprobs, ...change(choice.logprobs) },
  })),
});

describe('a model behind a server', () => {
  it.each<[string, Answering, typeof idsOf?]>([
    ['repeats the prompt', echoed],
    ['rates only what it writes', forced, idsOf],
    [
      'rates the prompt',
      (asked) =>
        asked.prompt_logprobs === undefined
          ? { choices: [{ text: '', logprobs: null }] }
          : promptLogProbabilities(asked),
    ],
    [
      'is busy at times',
      (asked, response, count) =>
        count % 5 === 2 ? void response.writeHead(429, { 'Retry-After': '0.05' }).end('{}') : echoed(asked),
    ],
    [
      'is away at times',
      (asked, response, count) => (count % 7 === 3 ? void response.writeHead(503).end('{}') : echoed(asked)),
    ],
    [
      'breaks off at times',
      (asked, response, count) =>
        count % 9 === 4 ? void response.write('{"choices"', () => response.destroy()) : echoed(asked),
    ],
  ])(
    'that %s gives the scores of its formula',
    async (_, answer, ids) => {
      const { explain } = await setUp(answer, { ids });
      const { influence, requests, tokens, targetTokens } = await explain();
      EXACT.forEach((score, at) => expect(influence[at]).toBeCloseTo(score, 10));
      expect([influence.length, requests]).toEqual([WORDS.length, WORDS.length + 1]);
      expect(tokens).toBeGreaterThan(0);
      expect(targetTokens).toEqual([TARGET]);
    },
    20_000,
  );

  it('reads a replacement in place of each section', async () => {
    const { explain, asked } = await setUp(echoed);
    const { influence, requests } = await explain({ replacement: '...' });
    WORDS.forEach(([start, end], at) => {
      const rest = `${PROMPT.slice(0, start)}...${PROMPT.slice(end)}`;
      expect(influence[at]).toBeCloseTo(likelihoodOf(PROMPT, TARGET) - likelihoodOf(rest, TARGET), 10);
    });
    expect([requests, asked.length]).toEqual([WORDS.length + 1, WORDS.length + 1]);
  });

  it('scores single tokens of the target as the server divides it', async () => {
    const { explain } = await setUp(echoed);
    const { targetTokens, influence } = await explain({ target: " Luigi's in", target_granularity: 'token' });
    expect(targetTokens).toEqual([" Luigi's", ' in']);
    expect(influence).toHaveLength(2 * WORDS.length);
  });

  it.each<[string, number, (answer: Echoed) => unknown, RegExp]>([
    [
      'has fewer log-probabilities than tokens',
      4,
      withLogprobs(({ token_logprobs }) => ({ token_logprobs: token_logprobs.slice(1) })),
      /cannot be understood: expected a log-probability for each of/,
    ],
    [
      'counts other tokens than it lists',
      4,
      (answer) => ({ ...answer, usage: { prompt_tokens: 999 } }),
      /expected 999 tokens, as the answer counts them/,
    ],
    [
      'rates another text',
      4,
      withLogprobs(({ tokens }) => ({ tokens: tokens.map((token) => token.toUpperCase()) })),
      /expected the tokens of the text, got those of another/,
    ],
    [
      'has lost the first half of the prompt',
      4,
      (answer) => ({
        ...withLogprobs(({ tokens, token_logprobs }) => ({
          tokens: tokens.slice(6),
          token_logprobs: token_logprobs.slice(6),
        }))(answer),
        usage: {},
      }),
      /expected the tokens of the text/,
    ],
    [
      'has no log-probability of the target',
      4,
      withLogprobs(({ token_logprobs }) => ({ token_logprobs: token_logprobs.map(() => null) })),
      /expected a log-probability of each token, got null/,
    ],
    [
      'is more than certain',
      4,
      withLogprobs(({ token_logprobs }) => ({ token_logprobs: token_logprobs.map(() => 0.5) })),
      /got 0\.5/,
    ],
    [
      'joins the target with the prompt',
      4,
      (answer) => ({
        ...withLogprobs(({ tokens, token_logprobs }) => ({
          tokens: [...tokens.slice(0, -3), tokens.slice(-3, -1).join(''), ' more'],
          token_logprobs: token_logprobs.slice(1),
        }))(answer),
        usage: { prompt_tokens: answer.usage.prompt_tokens - 1 },
      }),
      /expected the target to begin where a token begins/,
    ],
    ['has no choices', 4, () => ({ choices: [] }), /has no choice/],
    ['is not a JSON object', 4, () => [], /expected a JSON object/],
  ])('whose answer %s gives no scores, and says so', async (_, first, wrong, message) => {
    const { explain } = await setUp(wrongFrom(first, wrong));
    await expect(explain()).rejects.toMatchObject({
      failure: { code: 'ENGINE_UNAVAILABLE', message: expect.stringMatching(message) },
    });
  });

  it.each<[string, Answering, string, RegExp]>([
    [
      'refuses the key',
      (_, response) => void response.writeHead(401).end(`{"error":{"message":"bad key ${KEY}"}}`),
      'ENGINE_UNAVAILABLE',
      /refuses this server's token \(401\): bad key …/,
    ],
    [
      'tells no log-probabilities',
      () => ({ choices: [{ text: 'x', logprobs: null }] }),
      'MISSING_CAPABILITY',
      /tells how likely a given text is.*echo: the answer has no log-probabilities.*prompt_logprobs/,
    ],
    [
      'only chats',
      (_, response) => void response.writeHead(404).end('{"detail":"Not Found"}'),
      'MISSING_CAPABILITY',
      /it answered 404: Not Found/,
    ],
    [
      'refuses the text',
      (_, response) => void response.writeHead(400).end('{"error":{"message":"maximum context length is 10"}}'),
      'MISSING_CAPABILITY',
      /maximum context length is 10/,
    ],
  ])('that %s is named', async (_, answer, code, message) => {
    const { explain } = await setUp(answer);
    await expect(explain()).rejects.toMatchObject({ failure: { code, message: expect.stringMatching(message) } });
  });

  it('that stays silent is named after the attempts', async () => {
    const { explain, asked } = await setUp(() => undefined, { silenceMs: 30 });
    await expect(explain()).rejects.toMatchObject({
      failure: { code: 'ENGINE_UNAVAILABLE', message: expect.stringMatching(/504.*said nothing/) },
    });
    expect(asked).toHaveLength(4);
  }, 20_000);

  it('is asked nothing more once the request is aborted, and waits for nothing', async () => {
    const stop = new AbortController();
    const calls = vi.spyOn(globalThis, 'fetch');
    const { explain } = await setUp((one, response, count) => {
      if (count < 4) return echoed(one);
      if (count === 4) setTimeout(() => stop.abort(), 20);
      return void response.writeHead(503, { 'Retry-After': '60' }).end('{}');
    });
    await expect(explain({}, { ...QUIET, signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
    const count = calls.mock.calls.length;
    expect(calls.mock.calls.at(-1)?.[1]?.signal?.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls.mock.calls).toHaveLength(count);
  });

  it('never reads more tokens than allowed', async () => {
    const whole = tokensOf(PROMPT + TARGET).length;
    const read = (asked: readonly { readonly prompt: string }[]) =>
      asked.reduce((sum, { prompt }) => sum + tokensOf(prompt).length, 0);
    for (const maxTokens of [50, 200, 300, 100_000]) {
      const { explain, asked } = await setUp(echoed, { maxTokens });
      const found = await explain().catch((error: unknown) => error);
      expect(read(asked)).toBeLessThanOrEqual(maxTokens);
      if (maxTokens < whole * WORDS.length)
        expect(found).toMatchObject({
          failure: {
            code: 'INVALID_REQUEST',
            message: expect.stringMatching(/^max_requests: expected requests of at most/),
          },
        });
      expect(asked.length).toBeLessThanOrEqual(maxTokens === 100_000 ? WORDS.length + 1 : 1);
    }
  });

  it('plans no more requests than its method makes', async () => {
    const { explain } = await setUp(echoed, { maxTokens: 1000 });
    const totals = new Set<number>();
    const context = {
      ...QUIET,
      listens: true,
      progress: ({ total }: { readonly total: number }) => void totals.add(total),
    };
    const { requests } = await explain({ max_requests: 1024 }, context);
    expect(requests).toBe(WORDS.length + 1);
    expect([...totals]).toEqual([WORDS.length + 1]);
  });

  it('counts what a server may have read without an answer as spent', async () => {
    const { explain, asked } = await setUp((one, response) => void response.writeHead(500).end(one.prompt), {
      maxTokens: 200,
    });
    await expect(explain()).rejects.toMatchObject({
      failure: { code: 'INVALID_REQUEST', message: expect.stringMatching(/^max_requests: .* at most 200 tokens/) },
    });
    expect(asked).toHaveLength(2); // each of at most as many tokens as the text has bytes, 85
  });

  it('is not asked to read token ids or controls', async () => {
    const { explain, asked } = await setUp(echoed);
    for (const item of [
      { type: 'token_ids', ids: [1], controls: [] },
      { type: 'text', text: 'x', controls: [{ factor: 1, overlap: 'partial', span: { start: 0, length: 1 } }] },
    ] as const)
      await expect(explain({ prompt: { path: 'prompt', items: [item] } })).rejects.toThrow(
        /^prompt\[0\]: expected a text/,
      );
    expect(asked).toHaveLength(0);
  });

  it('is tried with a text of the page before it is used', async () => {
    const { upstream, asked } = await setUp(echoed);
    expect((await prepareAt(upstream, QUIET)).reason).toContain(upstream.address);
    expect(asked.map(({ prompt }) => prompt)).toEqual(['The capital of France is Paris']);
  });
});

it('the key reaches the server alone', async () => {
  const said: unknown[] = [];
  for (const name of ['log', 'warn', 'error', 'info', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation((...all) => void said.push(all));
  const elsewhere: unknown[] = [];
  const other = await listening((request, response) => {
    elsewhere.push(request.headers);
    response.end('{}');
  });
  const faults: Answering[] = [
    echoed,
    (_, response) => void response.writeHead(401, { 'X-Key': KEY }).end(KEY),
    (_, response) => void response.writeHead(500).end(`{"detail":"${KEY}"}`),
    (_, response) => void response.writeHead(307, { Location: `${other}/v1/completions` }).end(),
    (_, response) => void response.destroy(),
  ];
  const received: unknown[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...parameters) => {
    const response = await real(...parameters);
    received.push([...response.headers], await response.clone().text().catch(String));
    return response;
  });
  for (const answer of faults) {
    const { explain, authorizations } = await setUp(answer);
    received.push(JSON.stringify(await explain().catch((error: unknown) => error), null, 1));
    expect(new Set(authorizations)).toEqual(new Set([`Bearer ${KEY}`]));
  }
  expect(received.length).toBeGreaterThan(2 * faults.length);
  expect(JSON.stringify([received, said, elsewhere])).not.toContain(KEY);
  expect(elsewhere).toEqual([]);
}, 60_000);
