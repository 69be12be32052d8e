import { expect } from '@playwright/test';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import type { Service, ServiceOptions } from '../../../src/service/service.ts';
import { embed, MODEL } from '../calls.ts';
import { test } from '../fixture.ts';

const KEY = 'lightwell.threads';

declare const visit: Service;

test('numbers of threads are tried on two visits, and the third one runs on the choice', async ({ app, backend }) => {
  test.skip(backend !== 'wasm', 'a GPU has no threads');
  test.skip(
    (await app.evaluate(() => navigator.hardwareConcurrency)) === 1,
    'a processor with one core has one thread',
  );
  const kept = new Map<string, string>();
  const speeds = async () => {
    await expect.poll(() => keptIn()).not.toBe(kept.get(KEY) ?? null);
    kept.set(KEY, (await keptIn()) ?? '');
    const { models } = JSON.parse(kept.get(KEY) ?? '') as { models: Record<string, { others: unknown[] }[]> };
    return Object.values(models).flat();
  };
  const keptIn = () => app.evaluate((key) => sessionStorage.getItem(`visit ${key}`), KEY);

  await test.step('two visits measure one thread beside the usual number', async () => {
    for (const trials of [1, 2]) {
      await openVisit();
      const found = await speeds();
      expect(found).toHaveLength(trials);
      for (const { others } of found) expect(others).toContainEqual({ threads: 1, speed: expect.any(Number) });
      await app.evaluate(() => visit.dispose());
    }
  });

  await test.step('where both say that it is faster, a model runs on it, to the same numbers', async () => {
    const faster = kept.get(KEY)?.replaceAll(/"speed":[\d.e-]+/g, '"speed":1.5') ?? '';
    await app.evaluate(([key, text]) => sessionStorage.setItem(`visit ${key}`, text), [KEY, faster] as const);
    await openVisit();
    const { threads, reason } = await app.evaluate((model) => visit.deviceOf(model), MODEL);
    expect(threads).toBe(1);
    expect(reason).toContain('1.50 and 1.50 times as fast as');
    const found = await app.evaluate(async (model) => {
      const headers = { Authorization: `Bearer ${visit.token}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ model, prompt: 'An apple a day', layers: [-1], pooling: ['mean'] });
      return (await visit.fetch('/embed', { method: 'POST', headers, body })).json() as Promise<EmbedResponse>;
    }, MODEL);
    const usual = (await embed(app, 'An apple a day', { layers: [-1], pooling: ['mean'] })).body as EmbedResponse;
    const numbers = (response: EmbedResponse) =>
      Object.values(response.embeddings ?? {}).flatMap(({ mean = [] }) => mean);
    expect(numbers(found).length).toBeGreaterThan(100);
    numbers(found).forEach((number, at) => expect(number).toBeCloseTo(numbers(usual)[at] ?? NaN, 3));
    await app.evaluate(() => visit.dispose());
  });

  /** A service of the library beside the page's own, which is idle after a fifth of a second. */
  function openVisit(): Promise<void> {
    return app.evaluate(async () => {
      const address = '/lightwell.js';
      const { createService } = (await import(address)) as { createService: (options: ServiceOptions) => Service };
      const storage = {
        getItem: (key: string) => sessionStorage.getItem(`visit ${key}`),
        setItem: (key: string, text: string) => sessionStorage.setItem(`visit ${key}`, text),
      };
      const service = createService({ storage, backend: 'wasm', tryThreads: { idleMs: 200 } });
      Reflect.set(globalThis, 'visit', service);
      await service.ready;
    });
  }
});
