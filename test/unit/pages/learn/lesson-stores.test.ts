import { expect, it } from 'vitest';
import { lessonStoresOf } from '../../../../src/pages/learn/lesson-stores.ts';
import { answer, createFakeClient } from '../../../support/fakes/fake-explain.ts';
import { SILENT_CLIENT } from '../../../support/silent-client.ts';

it('a lesson keeps the model that it has begun with', async () => {
  const { client } = createFakeClient();
  const asked: string[] = [];
  const models = ['first', 'second', 'third', 'fourth'];
  const source = {
    client: {
      ...SILENT_CLIENT,
      ...client,
      explain: async ({ model }: { readonly model: string }) => {
        asked.push(model);
        return answer(5);
      },
      evaluate: (...call: Parameters<typeof client.evaluate>) => {
        asked.push(call[0].model);
        return client.evaluate(...call);
      },
    },
    get model() {
      return models.shift() ?? 'last';
    },
  };
  const { granularity } = lessonStoresOf({ source, stores: null });
  await granularity.getState().run();
  expect(granularity.getState().last?.found.deleted).toHaveLength(1);
  expect(new Set(asked)).toEqual(new Set(['first']));
  expect(asked.length).toBeGreaterThan(2);
});
