import { describe, expect, it, vi } from 'vitest';
import { createClient, type Connection } from '../../../src/client/client.ts';
import { STREAM_TYPE } from '../../../src/contract/wire/stream.ts';
import { createFakeEmbedder } from '../../support/fakes/fake-embedder.ts';
import { createPage, TOKEN } from '../../support/fakes/page.ts';

const body = { model: 'lightwell-base', prompt: 'Rome', target: ' is' };
const over = (fetch: Connection['fetch']) => createClient({ fetch, baseUrl: 'http://localhost', token: TOKEN });
const answering = (text: string, init: ResponseInit = {}) => over(async () => new Response(text, init));

describe('createClient', () => {
  it('calls every operation of a router', async () => {
    const client = over(createPage().router.fetch);
    expect(await client.embed({ model: 'lightwell-base', prompt: 'Rome' })).toMatchObject({ ok: true });
    expect(await client.explain(body)).toMatchObject({ ok: true });
    const base: unknown = expect.objectContaining({ name: 'lightwell-base' });
    expect(await client.modelSettings()).toEqual({ ok: true, value: expect.arrayContaining([base]) });
  });

  it('asks for semantic embeddings, one or many', async () => {
    const client = over(createPage({ model: createFakeEmbedder() }).router.fetch);
    const one = await client.semanticEmbed({ prompt: 'Rome', representation: 'query' });
    const many = await client.batchSemanticEmbed({ prompts: ['Rome', 'Rome'], representation: 'query' });
    if (!one.ok || !many.ok) throw new Error('expected answers, got problems');
    expect(many.value.embeddings).toEqual([one.value.embedding, one.value.embedding]);
  });

  it('orders documents by their relevance to a query', async () => {
    const client = over(createPage({ model: createFakeEmbedder() }).router.fetch);
    const asked = { model: 'lightwell-embed', query: 'Rome', documents: ['Oslo is cold.', 'Rome'] };
    const ranked = await client.rerank(asked);
    if (!ranked.ok) throw new Error(ranked.problem.message);
    expect(ranked.value.results.map(({ index }) => index)).toEqual([1, 0]);
    expect(ranked.value.results[0]?.relevance_score).toBeGreaterThan(ranked.value.results[1]?.relevance_score ?? 1);
    const first = await client.rerank({ ...asked, top_n: 1 });
    expect(first).toMatchObject({ ok: true, value: { results: ranked.value.results.slice(0, 1) } });
    expect(await client.rerank({ ...asked, documents: [] })).toMatchObject({ problem: { code: 'PAYLOAD_ERROR' } });
  });

  it('hears progress and still gets the whole answer', async () => {
    const client = over(createPage().router.fetch);
    const onProgress = vi.fn();
    const streamed = await client.explain(body, { onProgress });
    expect(streamed).toEqual(await client.explain(body));
    expect(onProgress).toHaveBeenCalledWith(expect.objectContaining({ phase: 'run' }));
  });

  it('asks for the back of the queue when told to be nice', async () => {
    const fetch = vi.fn(async (_: Request) => Response.json([]));
    await over(fetch).modelSettings({ nice: true });
    expect(fetch.mock.calls[0]?.[0].url).toBe('http://localhost/model-settings?nice=true');
  });

  it('returns a refusal as the service said it', async () => {
    const answer = await over(createPage().router.fetch).explain({ ...body, model: 'x' });
    expect(answer).toMatchObject({ ok: false, problem: { status: 404, code: 'UNKNOWN_MODEL' } });
  });

  it('understands a proxy that does not speak JSON', async () => {
    const answer = await answering('Too many requests', { status: 429 }).modelSettings();
    expect(answer).toEqual({ ok: false, problem: { status: 429, code: 'UNKNOWN', message: 'Too many requests' } });
  });

  it('returns the failure that ends a stream, and a stream that ends too early', async () => {
    const headers = { 'Content-Type': STREAM_TYPE };
    const line = JSON.stringify({ failure: { status: 503, code: 'DEVICE_LOST', error: 'gone' } });
    const failed = await answering(`${line}\n`, { headers }).explain(body);
    expect(failed).toMatchObject({ ok: false, problem: { status: 503, code: 'DEVICE_LOST', message: 'gone' } });
    const cut = await answering('', { headers }).explain(body);
    expect(cut).toMatchObject({ ok: false, problem: { code: 'CONNECTION' } });
  });

  it('rejects when aborted, as fetch does', async () => {
    const client = over(createPage().router.fetch);
    await expect(client.explain(body, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('stops the work when the reader of a stream goes away', async () => {
    const aborting = new AbortController();
    const client = over(createPage().router.fetch);
    const onProgress = () => aborting.abort();
    const answer = client.explain(
      { ...body, prompt: 'one two three four five six seven '.repeat(40), prompt_granularity: { type: 'token' } },
      { onProgress, signal: aborting.signal },
    );
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});
