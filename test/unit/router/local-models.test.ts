import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/contract/failure.ts';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue } from '../../../src/models/catalogue.ts';
import { createRouter } from '../../../src/router/router.ts';
import type { Submit } from '../../../src/scheduler/scheduler.ts';
import { firstModel } from '../../support/fakes/jobs.ts';

const LATE = { ...firstModel(), name: 'owner/late' };

/** A router whose local models are still being read, and what ends that. */
function setUp(timeoutMs = 60_000) {
  const catalogue = createCatalogue([firstModel()]);
  let end = () => undefined as void;
  const modelsKnown = new Promise<void>((resolve) => (end = resolve));
  const submit = (async () => failure('OUT_OF_MEMORY', 'reached')) as Submit;
  const settings = () => ({ ...DEFAULT_SETTINGS, timeoutMs });
  const router = createRouter({ submit, catalogue, settings, modelsKnown, token: () => 't' });
  const ask = async (model: string, init: RequestInit = {}) => {
    const body = JSON.stringify({ model, prompt: 'x' });
    const headers = { Authorization: 'Bearer t' };
    const response = await router.fetch(
      new Request('http://localhost/embed', { method: 'POST', body, headers, ...init }),
    );
    return ((await response.json()) as { code: string }).code;
  };
  return { ask, end, catalogue };
}

describe('a request for a model of the local server that is still being read', () => {
  it('waits until it is known, and is answered then', async () => {
    const { ask, end, catalogue } = setUp();
    const answered = ask(LATE.name);
    catalogue.add(LATE);
    end();
    expect(await answered).toBe('OUT_OF_MEMORY');
  });

  it('is refused once all are known and it is not among them', async () => {
    const { ask, end } = setUp();
    const answered = ask('owner/never');
    end();
    expect(await answered).toBe('UNKNOWN_MODEL');
  });

  it('keeps its time-out and its abort signal', async () => {
    expect(await setUp(20).ask(LATE.name)).toBe('TIMEOUT');
    const leaving = new AbortController();
    const answered = setUp().ask(LATE.name, { signal: leaving.signal });
    leaving.abort();
    await expect(answered).rejects.toThrow('abort');
  });

  it('does not keep others waiting', async () => {
    expect(await setUp().ask(firstModel().name)).toBe('OUT_OF_MEMORY');
  });
});
