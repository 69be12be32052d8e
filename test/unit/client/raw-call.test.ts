import { createRawCall } from '../../../src/client/raw-call.ts';
import { describe, expect, it } from 'vitest';

describe('a raw call', () => {
  it('sends what it is given with the token of the moment, and tells the answer as it came', async () => {
    const seen: unknown[] = [];
    let token = 'old';
    const call = createRawCall({
      baseUrl: 'http://localhost/api',
      get token() {
        return token;
      },
      fetch: async (url, { method, headers, body }) => {
        seen.push(method, url, new Headers(headers).get('Authorization'), body);
        return new Response('{"a": ', { status: 503, headers: { 'Retry-After': '2' } });
      },
    });
    token = 'new';
    const answer = await call({ method: 'POST', path: '/embed?nice=true', body: '{"prompt":' });
    expect(seen).toEqual(['POST', 'http://localhost/api/embed?nice=true', 'Bearer new', '{"prompt":']);
    expect([answer.status, answer.text, answer.ms >= 0]).toEqual([503, '{"a": ', true]);
    expect(answer.headers).toContainEqual(['retry-after', '2']);
  });

  it('rejects with the reason of its signal, as fetch does', async () => {
    const fetch = async (_url: string, { signal }: RequestInit): Promise<Response> => {
      signal?.throwIfAborted();
      return new Response('');
    };
    const call = createRawCall({ baseUrl: 'http://localhost', token: '', fetch });
    const asked = call({ method: 'GET', path: '/version', body: null, signal: AbortSignal.abort() });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });
});
