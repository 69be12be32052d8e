import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QaResponse } from '../../../src/contract/qa.ts';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { readerTest } from '../../../workers/engine/checks/reader-test.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { createPage, post } from '../../support/fakes/page.ts';
import { measured } from '../measured.ts';

const LIMIT = 1e-5;
const table = measured('The embedded reader, in batches');

describe('the embedded reader', () => {
  let model: LoadedModel;
  beforeAll(async () => (model = await openEmbeddedModel('lightwell-reader')));
  afterAll(() => model.network.release());

  const ask = async (query: string, texts: readonly string[]) => {
    const body = { query, documents: texts.map((text) => ({ text })), max_answers: 200 };
    const response = await createPage({ model, timeoutMs: 60_000 }).router.fetch(post('/qa', body));
    expect(response.status).toBe(200);
    return QaResponse.parse(await response.json()).answers;
  };

  const TEXTS = [
    'Andreas likes Pizza.',
    'Marta was born in Warsaw. Pavel was born in Prague. Both of them live in Berlin today.',
    'The lighthouse at Port Ellery was built in 1871 by Ottilie Brandt, and it was lit for the first time two years later.',
    'It rained for three days.',
  ];

  it('answers the documented example', async () => {
    const [best] = await ask('Who likes Pizza?', TEXTS.slice(0, 1));
    expect(best).toMatchObject({ answer: 'Andreas', evidence: TEXTS[0] });
  });

  it.each([
    ['Who likes pizza?', 'Who likes soup?', 'Andreas likes pizza.'],
    ['Who likes Pizza?', 'Who likes Soup?', 'Andreas likes Pizza.'],
  ])('is sure of %s, but not of %s, when told "%s"', async (answered, unanswered, text) => {
    const [known] = await ask(answered, [text]);
    const [unknown] = await ask(unanswered, [text]);
    expect(known).toMatchObject({ answer: 'Andreas' });
    expect(known?.score).toBeGreaterThan(0.5);
    expect(unknown?.score ?? 0).toBeLessThan((known?.score ?? 0) / 2);
  });

  it('is sure of a clear answer', async () => {
    const [best] = await ask('Where does the Eiffel Tower stand?', ['The Eiffel Tower stands in Paris, France.']);
    expect(best?.answer).toContain('Paris');
    expect(best?.score).toBeGreaterThan(0.5);
  });

  it('passes its test', async () => {
    expect(await readerTest(model.network, 'float32')).toMatchObject({ fault: undefined, takesPadding: true });
  });

  it('finds the document that has the answer', async () => {
    const [best] = await ask('Who built the lighthouse at Port Ellery?', TEXTS);
    expect(best?.evidence).toBe(TEXTS[2]);
  });

  it('answers the same in a batch as alone', async () => {
    const query = 'Who built the lighthouse at Port Ellery?';
    const together = await ask(query, TEXTS);
    for (const text of TEXTS) {
      const [alone] = await ask(query, [text]);
      const beside = together.find(({ evidence }) => evidence === text);
      expect(beside?.answer).toBe(alone?.answer);
      table.within('score in a batch, against alone', [beside?.score ?? NaN], [alone?.score ?? NaN], LIMIT);
    }
  });
});
