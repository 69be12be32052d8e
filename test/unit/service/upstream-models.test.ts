import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelSettings } from '../../../src/contract/models.ts';
import { createPage, TOKEN } from '../../support/fakes/page.ts';
import { serveBridged } from '../../support/fakes/openai-page.ts';
import { TOKEN as PAGE_TOKEN } from '../../support/fakes/fake-tab.ts';
import { createClient } from '../../../src/client/client.ts';
import { measureFaithfulness } from '../../../src/client/faithfulness/faithfulness.ts';
import { mostEvaluations } from '../../../src/client/faithfulness/sections.ts';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import { recordText, scoresCsv } from '../../../src/explanations/export.ts';
import { persistedOutcome, readOutcome } from '../../../src/explanations/outcome.ts';
import { requestExplanation } from '../../../src/explanations/request.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';
import { captionOf } from '../../../src/figures/caption.ts';
import {
  closeServers,
  completionServer,
  continued,
  echoed,
  likelihoodOf,
} from '../../support/remote/completion-server.ts';
import { connectPage, pageWith, urlOf } from '../../support/remote/upstream-page.ts';

const KEY = 'sk-secret-key-of-the-server';
const PROMPT = "A table at Luigi's, please. Restaurant:";
const TARGET = " Luigi's";

const RECORDING = {
  facts: undefined,
  engine: { kind: 'loading', progress: null },
  userAgent: 'a browser',
  now: new Date(0),
} as const;

let address = '';
beforeEach(async () => {
  const server = await completionServer((asked) => (asked.echo ? echoed(asked) : continued(asked, TARGET)));
  ({ address } = server);
  await connectPage(address, KEY);
});
afterEach(() => {
  closeServers();
  vi.restoreAllMocks();
});

/** Every request of the page gets this answer. */
function answerWith(answer: () => Promise<Response>): ReturnType<typeof vi.spyOn> {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
}

function openPage(upstream: Parameters<typeof pageWith>[0] = { address }) {
  const router = pageWith(upstream);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const post = async (path: string, body: object) => {
    const response = await router.fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'm', prompt: PROMPT, ...body }),
    });
    return { status: response.status, ran: response.headers.get('lightwell-ran'), body: await response.json() };
  };
  const explain = (change: object = {}, path = '/explain') =>
    post(path, { target: TARGET, prompt_granularity: { type: 'word' }, ...change });
  const listed = async () => (await (await router.fetch('/model-settings', { headers })).json()) as ModelSettings[];
  return { router, post, explain, listed };
}

describe('models of an OpenAI-compatible server', () => {
  it('are off by default', async () => {
    const { listed, explain } = openPage({});
    expect((await listed()).map(({ name }) => name)).not.toContain('m');
    expect((await explain()).status).toBe(404);
    expect(globalThis.fetch).not.toHaveBeenCalled();
  });

  it('are listed by their own names, and explained by deletion', async () => {
    const { explain, listed } = openPage();
    const { status, ran, body } = await explain();
    expect(status).toBe(200);
    expect((await listed()).find(({ name }) => name === 'm')).toMatchObject({
      max_context_size: 4096,
      tier: 'as_exported',
    });
    expect(ran).toBe(`remote; address="${address}"; model="m"`);
    expect(body.model_version).toBe(`m @ ${address}`);
    const { scores } = body.explanations[0].items[0];
    const rest = PROMPT.replace("Luigi's, please. ", ', please. ');
    expect(scores[3]).toMatchObject({ start: 11, length: 7 });
    expect(scores[3].score).toBeCloseTo(
      likelihoodOf(PROMPT, TARGET) - likelihoodOf(rest.replace(' ,', ' ,'), TARGET),
      10,
    );
    expect(body.requests).toBe(scores.length + 1);
    expect(body.tokens).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it('are explained by the other methods', async () => {
    const { explain } = openPage();
    for (const method of ['insertion', 'sparse_linear', 'shapley']) {
      const { status } = await explain({ method, max_requests: 64, prompt_granularity: { type: 'sentence' } });
      expect([method, status]).toEqual([method, 200]);
    }
  });

  it.each<[object, string, RegExp]>([
    [{ method: 'attention' }, '/explain', /^method: expected one that removes sections for a model at/],
    [{ prompt_granularity: { type: 'token' } }, '/explain', /^prompt_granularity.type: /],
    [{ hosting: 'lightwell' }, '/explain', /^hosting: expected null for a model at/],
    [{ foil: ' Mario' }, '/explain', /^foil: /],
    [{}, '/explain?budget=auto', /^budget: expected none with the method "deletion"/],
    [{}, '/predict', /^model: expected one of .* which cannot predict, because it runs at http/],
    [
      { prompt: [{ type: 'token_ids', data: [1] }], completion_expected: TARGET },
      '/evaluate',
      /^prompt\[0\]: expected a text/,
    ],
    [{ replacement: '' }, '/explain', /^replacement: expected at least one token/],
    [{ temperature: 1 }, '/complete', /^temperature: expected 0 for a model at/],
    [{ n: 2 }, '/complete', /^n: expected 1 for a model at .*, got 2/],
    [{ stop_sequences: ['x'] }, '/complete', /^stop_sequences: expected 0 for a model at/],
    [
      { response_format: { type: 'json_object' } },
      '/complete',
      /^response_format: expected null for a model at .*, got "JSON"/,
    ],
    [{ log_probs: 3 }, '/complete', /^log_probs: expected 0 for a model at/],
  ])('refuse %j of %s', async (change, path, message) => {
    const { status, body } = await openPage().explain(change, path);
    expect(status).toBe(400);
    expect(body.error).toMatch(message);
  });

  it('say how likely a text is, and no more than the server tells', async () => {
    const { post } = openPage();
    const { status, ran, body } = await post('/evaluate', { completion_expected: TARGET });
    expect([status, ran]).toEqual([200, `remote; address="${address}"; model="m"`]);
    const { result, ...facts } = body;
    expect(facts).toEqual({ model_version: `m @ ${address}`, message: null, num_tokens_prompt_total: 6 });
    expect(result.log_probability).toBeCloseTo(likelihoodOf(PROMPT, TARGET), 10);
    expect(Object.keys(result)).toEqual([
      'log_probability',
      'log_perplexity',
      'log_perplexity_per_token',
      'log_perplexity_per_character',
      'token_count',
      'character_count',
    ]);
  });

  it('are tested against the server', async () => {
    const { router } = openPage();
    const client = createClient(router);
    const request = { model: 'm', prompt: PROMPT, target: TARGET, method: 'deletion' as const };
    const explained = await client.explain({ ...request, prompt_granularity: { type: 'word' } });
    if (!explained.ok) throw new Error(explained.problem.message);
    const asked = vi.mocked(globalThis.fetch).mock.calls.length;
    const { orders, sections, evaluations } = await measureFaithfulness(request, explained.value, { client });
    const [own, random] = orders;
    expect(own).toMatchObject({ name: 'explanation', controls: null, spearman: { value: 1 } });
    expect(own?.deletion?.comprehensiveness?.value).toBeGreaterThan(random?.deletion?.comprehensiveness?.value ?? 0);
    expect(own?.datamodelling?.value).toBeGreaterThan(0);
    expect(vi.mocked(globalThis.fetch).mock.calls.length - asked).toBe(evaluations);
    expect(evaluations).toBeLessThanOrEqual(mostEvaluations(sections));
  });

  it('write their own answer, which the page explains', async () => {
    const { router } = openPage();
    const written: string[] = [];
    const asked = { picture: null, prompt: PROMPT, target: '', settings: DEFAULT_QUESTION_SETTINGS };
    const answer = await requestExplanation(createClient(router), asked, {
      model: 'm',
      upstream: address,
      onWritten: (text) => void written.push(text),
    });
    if (!answer.ok) throw new Error(answer.problem.message);
    const { question, prediction, upstream, influence, modelVersion } = answer.value;
    expect([question.target, written.at(-1), prediction, upstream, modelVersion]).toEqual([
      TARGET,
      TARGET,
      null,
      address,
      `m @ ${address}`,
    ]);
    expect(influence.prompt.find(({ text }) => text === "Luigi's")?.total).toBeGreaterThan(0);
    expect(captionOf(answer.value, 'whole').detail).toMatch(/^Deleting ‘/);
    expect(readOutcome(JSON.parse(JSON.stringify(persistedOutcome(answer.value))), null)).toEqual(answer.value);
    expect(JSON.stringify([recordText(answer.value, 'm', RECORDING), scoresCsv(answer.value, 'm')])).not.toMatch(
      /control_factor|sk-secret/,
    );
  });

  it('have the scores that they have here, where the server is one of this package', async () => {
    const own = await serveBridged(createPage({ token: PAGE_TOKEN }).router);
    vi.restoreAllMocks();
    await connectPage(`${own.url}v1`, own.token);
    const { router, explain } = openPage({ address: `${own.url}v1` });
    const scoresOf = (body: ExplainResponse) =>
      body.explanations.flatMap(({ items }) =>
        items.flatMap((item) => (item.type === 'text' ? item.scores.map(({ score }) => score) : [])),
      );
    const question = { prompt: "a table at Luigi's in the town", target: ' table', method: 'deletion' };
    try {
      const there = await explain({ ...question, model: 'upstream/lightwell-base' });
      const here = await explain({ ...question, model: 'lightwell-base' });
      expect([there.status, here.status]).toEqual([200, 200]);
      expect(scoresOf(here.body)).toHaveLength(7);
      expect(scoresOf(there.body)).toHaveLength(7);
      expect(scoresOf(here.body).some((score) => Math.abs(score) > 0.01)).toBe(true);
      scoresOf(there.body).forEach((score, at) => expect(score).toBeCloseTo(scoresOf(here.body)[at] ?? NaN, 4));
      expect(there.body.model_version).toBe(`lightwell-base @ ${own.url}v1`);
    } finally {
      router.dispose();
      await own.close();
    }
  });

  it('keep to the tokens that settings allow', async () => {
    const { status, body } = await openPage({ address, maxTokens: 60 }).explain();
    expect(status).toBe(400);
    expect(body.error).toMatch(/at most 60 tokens together/);
  });

  it('go when they are turned off, and what is wrong with a list is said', async () => {
    const { router, listed, explain } = openPage();
    await explain();
    router.settings.set({ upstream: { address: null } });
    await expect.poll(async () => (await listed()).map(({ name }) => name)).not.toContain('m');
    expect(() => router.settings.set({ upstream: { address: 'https://other.example' } })).toThrow(/ends in \/v1/);
    router.settings.set({ upstream: { address: 'https://other.example/v1' } });
    await expect(router.connectUpstream()).rejects.toThrow(/the page names another/);
  });
});

describe('the list of a server', () => {
  it('is asked for once, however many callers want it', async () => {
    const { router } = openPage();
    const lists = await Promise.all([router.connectUpstream(), router.connectUpstream()]);
    expect(lists).toEqual([['m'], ['m']]);
    expect(vi.mocked(globalThis.fetch).mock.calls.map(([input]) => urlOf(input))).toEqual([
      'http://localhost/api/engine/v1/models',
    ]);
    await router.connectUpstream();
    expect(globalThis.fetch).toHaveBeenCalledTimes(2); // the one before has ended
  });

  it('does not hold up the page, whose requests for its own models are answered', async () => {
    answerWith(() => new Promise(() => undefined));
    const { router, post } = openPage();
    await router.ready;
    expect((await post('/embed', { model: 'lightwell-base' })).status).toBe(200);
    expect(globalThis.fetch).toHaveBeenCalledOnce();
  });

  it('ends after ten seconds', async () => {
    const soon = AbortSignal.timeout(1);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
    vi.spyOn(console, 'warn').mockReturnValue();
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_input, init) =>
        new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    await expect(openPage().router.connectUpstream()).rejects.toThrow(`${address} did not answer within 10 s`);
    expect(timeout).toHaveBeenCalledWith(10_000);
  });

  it('of one that cannot be reached says so in words', async () => {
    vi.restoreAllMocks();
    vi.spyOn(console, 'warn').mockReturnValue();
    await connectPage('http://127.0.0.1:1/v1', KEY);
    const { router } = openPage({ address: 'http://127.0.0.1:1/v1' });
    await expect(router.connectUpstream()).rejects.toThrow(/^http:\/\/127.0.0.1:1\/v1 cannot be reached: ECONNREFUSED/);
  });

  it.each([
    [404, '<!doctype html><title>Not found</title>', ': the local server answered 404'],
    [502, '{"detail":"no"}', ': the local server answered 502'],
    [502, '{"error":"<html>Bad gateway</html>"}', ' answered 502'],
    [422, '{"error":"[object Object]"}', ' answered 422'],
    [200, '<!doctype html>', ': expected a list of models, got something else'],
  ])('names the status %i of an answer without a text: %s', async (status, body, problem) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    answerWith(async () => new Response(body, { status }));
    await expect(openPage().router.connectUpstream()).rejects.toThrow(new Error(`${address}${problem}`));
  });
});
