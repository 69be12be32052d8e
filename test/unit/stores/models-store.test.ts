import { describe, expect, it } from 'vitest';
import { MODEL_FACTS, NO_HOME, SILENT_CLIENT } from '../../support/silent-client.ts';
import { createModelsStore } from '../../../src/stores/models-store.ts';

describe('models store', () => {
  it('fetches a card once, and only of a model it knows', async () => {
    const asked: string[] = [];
    const readText = async (url: string) => (asked.push(url), '# m');
    const { getState } = createModelsStore({
      modelFacts: [MODEL_FACTS],
      home: NO_HOME,
      client: SILENT_CLIENT,
      readText,
    });
    const first = getState().open('m');
    expect(getState().cards).toEqual({ m: { kind: 'loading' } });
    await Promise.all([first, getState().open('m'), getState().open('unknown')]);
    await getState().open('m');
    expect(asked).toEqual([MODEL_FACTS.card]);
    expect(getState().cards).toEqual({ m: { kind: 'ready', card: { facts: [], text: '# m' } } });
  });

  it('says why a card is not there, and tries again', async () => {
    const answers = [() => Promise.reject(new TypeError('network down')), () => Promise.resolve('text')];
    const { getState } = createModelsStore({
      modelFacts: [MODEL_FACTS],
      home: NO_HOME,
      client: SILENT_CLIENT,
      readText: () => answers.shift()?.() ?? Promise.resolve(''),
    });
    await getState().open('m');
    expect(getState().cards['m']).toEqual({ kind: 'failed', message: 'network down' });
    await getState().open('m');
    expect(getState().cards['m']).toMatchObject({ kind: 'ready' });
  });
});
