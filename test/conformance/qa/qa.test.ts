import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/contract/progress.ts';
import { QaResponse } from '../../../src/contract/qa.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeModel } from '../../support/fakes/fake-model.ts';
import { createFakeReader } from '../../support/fakes/fake-reader.ts';
import { createPage, post } from '../../support/fakes/page.ts';

const pizza = { query: 'Who likes Pizza?', documents: [{ text: 'Andreas likes Pizza.' }] };
const text = (words: string) => ({ text: words });
const prompt = (data: string) => ({ prompt: [{ type: 'text', data }] });

const readerPage = () => createPage({ model: createFakeReader() });
const send = (body: object, path = '/qa') => readerPage().router.fetch(post(path, body));

const ask = async (body: object) => {
  const response = await send(body);
  expect(response.status).toBe(200);
  return QaResponse.parse(await response.json());
};

/** The lines of a streamed answer; passages of each length are read by themselves. */
async function streamed(body: object) {
  const page = createPage({ model: createFakeReader({ takesPadding: false }) });
  const response = await page.router.fetch(post('/qa', body, { headers: { Accept: 'application/x-ndjson' } }));
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as { readonly progress?: Progress; readonly response?: QaResponse });
}

describe('POST /qa, the answer', () => {
  it('has the documented keys in the documented order', async () => {
    const body: { answers: object[] } = await (await send(pizza)).json();
    expect(Object.keys(body)).toEqual(['model_version', 'answers']);
    expect(Object.keys(body.answers[0] ?? {})).toEqual(['answer', 'score', 'evidence']);
  });

  it('answers the documented example', async () => {
    const { model_version, answers } = await ask(pizza);
    expect(model_version).toContain('lightwell');
    expect(answers).toMatchObject([{ answer: 'Andreas', evidence: 'Andreas likes Pizza.' }]);
  });

  it('scores in (0, 1], above 0.5 for a clear answer and below for none', async () => {
    const { answers } = await ask({ ...pizza, documents: [text('Andreas likes Pizza.'), text('nobody was there')] });
    const [clear, none] = answers.map(({ score }) => score);
    expect(clear).toBeGreaterThan(0.5);
    expect(clear).toBeLessThanOrEqual(1);
    expect(none).toBeLessThan(0.5);
    expect(none).toBeGreaterThan(0);
  });

  it('writes scores as the shortest decimal of their float32', async () => {
    const [best] = (await ask(pizza)).answers;
    expect(String(best?.score).replace(/^0\.0*/, '').length).toBeLessThanOrEqual(9);
  });

  it('puts the best first, and of equal ones the earlier', async () => {
    const documents = [text('nothing here'), text('Berta came.'), text('nobody'), text('Carl came.')];
    const { answers } = await ask({ query: 'Who came?', documents });
    expect(answers.map(({ evidence }) => evidence)).toEqual(['Berta came.', 'Carl came.', 'nothing here', 'nobody']);
  });

  it('quotes an answer as it stands in the passage', async () => {
    const { answers } = await ask({ query: 'Who came?', documents: [text('Yesterday — no, today — Zoë came. 🍕')] });
    expect(answers[0]?.evidence).toContain(answers[0]?.answer);
  });
});

describe('POST /qa, documents', () => {
  it('answers no documents with no answers', async () => {
    expect((await ask({ query: 'Who?', documents: [] })).answers).toEqual([]);
  });

  it('answers 20 prompt documents with 20 answers', async () => {
    const documents = Array.from({ length: 20 }, () => prompt('Andreas likes Pizza.'));
    expect((await ask({ query: 'Who likes Pizza?', documents })).answers).toHaveLength(20);
  });

  it('gives nothing for blank documents of any kind', async () => {
    const documents = [text(''), text(' \n\t'), { prompt: [] }, prompt(''), prompt('  ')];
    expect((await ask({ query: 'Who?', documents })).answers).toEqual([]);
  });

  it('takes a short text as one chunk, which is the evidence', async () => {
    const short = 'Wolves first appeared long ago. They live in packs.\n\nFirst they were few. '.repeat(4).trim();
    expect(short.length).toBeGreaterThan(250);
    const { answers } = await ask({ query: 'Who lives in packs?', documents: [text(`\n${short} `)] });
    expect(answers.map(({ evidence }) => evidence)).toEqual([short]);
  });

  it('answers a long text chunk by chunk, each with verbatim evidence', async () => {
    const long = Array.from({ length: 120 }, (_, i) => `In house ${i} lives Anna the ${i}th, who keeps cats.`).join(
      '\n\n',
    );
    const { answers } = await ask({ query: 'Who keeps cats?', documents: [text(long)], max_answers: 200 });
    expect(answers.length).toBeGreaterThan(3);
    for (const { evidence, answer } of answers) {
      expect(long).toContain(evidence);
      expect(evidence).toContain(answer);
    }
  });

  it('reads a prompt as it is, items side by side, token ids as their text', async () => {
    const { tokenizer } = createFakeReader();
    const { ids } = tokenizer.tokenize(' likes Pizza 🍕.');
    const document = {
      prompt: [
        { type: 'text', data: 'Andreas' },
        { type: 'token_ids', data: ids },
      ],
    };
    const { answers } = await ask({ query: 'Who likes Pizza?', documents: [document] });
    expect(answers).toMatchObject([{ answer: 'Andreas', evidence: 'Andreas likes Pizza 🍕.' }]);
  });

  it("applies a prompt's controls to its tokens", async () => {
    const model = createFakeReader();
    const item = { type: 'text', data: 'Andreas likes Pizza.', controls: [{ start: 0, length: 7, factor: 0.25 }] };
    const request = post('/qa', {
      query: 'Who?',
      documents: [{ prompt: [item] }, { text: 'Andreas likes Pizza. !' }],
    });
    expect((await createPage({ model }).router.fetch(request)).status).toBe(200);
    const factors = [...(model.runs[0]?.perturbation?.factors ?? [])];
    const asked = model.tokenizer.tokenize('Who?').ids.length;
    const longest = factors.length / 2;
    expect(factors.slice(0, longest).every((factor) => factor === 1)).toBe(true);
    expect(factors[longest + asked]).toBe(0.25);
    expect(factors[longest + asked - 1]).toBe(1);
    expect(factors.at(-1)).toBe(1);
  });
});

describe('POST /qa, max_answers', () => {
  const many = { query: 'Who?', documents: Array.from({ length: 40 }, (_, i) => text(`Person ${i}`)) };

  it('keeps 30 answers when it is left out', async () => {
    expect((await ask(many)).answers).toHaveLength(30);
  });

  it('keeps the best so many', async () => {
    const documents = [text('nobody'), text('Berta came.')];
    const { answers } = await ask({ query: 'Who came?', documents, max_answers: 1 });
    expect(answers.map(({ answer }) => answer)).toEqual(['Berta']);
  });

  it('accepts 200', async () => {
    expect((await ask({ ...many, max_answers: 200 })).answers).toHaveLength(40);
  });
});

describe('POST /qa, the call', () => {
  it('accepts nice, hosting and fields it does not know', async () => {
    expect((await send({ ...pizza, hosting: 'operator', tags: [] }, '/qa?nice=true')).status).toBe(200);
    expect((await send({ ...pizza, hosting: null })).status).toBe(200);
  });

  it.each([200, 400])('says that it is deprecated, with status %s too', async (status) => {
    const response = await send(status === 200 ? pizza : {});
    expect(response.status).toBe(status);
    expect(response.headers.get('Deprecation')).toMatch(/^@\d{10}$/);
    expect(response.headers.get('Link')).toContain('rel="deprecation"');
  });

  it('streams how far it is, then the same answer', async () => {
    const body = { query: 'Who?', documents: [1, 2, 3].map((i) => text(`Person${' x'.repeat(i)}`)) };
    const lines = await streamed(body);
    const progress = [1, 2, 3].map((done) => ({ progress: { phase: 'run', done, total: 3 } }));
    expect(lines).toMatchObject([...progress, { response: await ask(body) }]);
  });

  it('tells where answers stand, in code points of the documents that are texts', async () => {
    const documents = [prompt(''), prompt('Carl came.'), text('🍕🍕 Berta came. Nobody knew.\n'), text(''), text('Dora came.')];
    const lines = await streamed({ query: 'Who came?', documents });
    const found = lines.flatMap((line) => line.progress?.found ?? []);
    const quoted = found
      .toSorted((a, b) => a.document - b.document)
      .map(({ document, score, answer, sentence, evidence }) => {
        const points = [...(documents[document] && 'text' in documents[document] ? documents[document].text : '')];
        const quote = (place: { start: number; length: number } | null) =>
          place && points.slice(place.start, place.start + place.length).join('');
        return { document, score, answer: quote(answer), sentence: quote(sentence), evidence: quote(evidence) };
      });
    expect(quoted).toMatchObject([
      { document: 2, answer: 'Berta', sentence: '🍕🍕 Berta came.', evidence: '🍕🍕 Berta came. Nobody knew.' },
      { document: 4, answer: 'Dora', sentence: 'Dora came.', evidence: 'Dora came.' },
    ]);
    const { answers } = await ask({ query: 'Who came?', documents });
    for (const { document: _, sentence: __, ...each } of quoted) expect(answers).toContainEqual(each);
  });

  it('stops between two batches when it is aborted', async () => {
    const model = createFakeReader({ delayMs: 10, takesPadding: false });
    const page = createPage({ model });
    const controller = new AbortController();
    const documents = Array.from({ length: 100 }, (_, i) => text(`Person ${i}`));
    const answer = page.router.fetch(post('/qa', { query: 'Who?', documents }, { signal: controller.signal }));
    const outcome = answer.then(
      () => 'answered',
      (error: Error) => error.name,
    );
    await eventually(() => expect(model.runs.length).toBeGreaterThan(1));
    controller.abort();
    expect(await outcome).toBe('AbortError');
    expect((await page.router.fetch(post('/qa', pizza))).status).toBe(200);
    expect(model.runs.length).toBeLessThan(50);
  });

  it('answers 408 after the time-out', async () => {
    const page = createPage({ model: createFakeReader({ delayMs: 3000 }), timeoutMs: 1000 });
    expect((await page.router.fetch(post('/qa', pizza))).status).toBe(408);
  });
});

describe('POST /qa with a model that writes', () => {
  it('answers each document, with a score in (0, 1]', async () => {
    const documents = [text('Andreas likes Pizza.'), prompt('Berta likes Pasta.')];
    const response = await createPage({ model: createFakeModel() }).router.fetch(post('/qa', { ...pizza, documents }));
    const { answers } = QaResponse.parse(await response.json());
    expect(answers).toHaveLength(2);
    for (const { answer, score } of answers) {
      expect(answer).not.toMatch(/\n|^\s*$/);
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  it('reads what shares the most words with the question, where there is more than it may answer', async () => {
    const model = createFakeModel();
    const documents = [text('Nobody came.'), text('Andreas likes Pizza.'), text('It rained.'), text('I like pizza.')];
    const request = post('/qa', { query: 'Who likes Pizza?', documents, max_answers: 2 });
    const response = await createPage({ model }).router.fetch(request);
    const { answers } = QaResponse.parse(await response.json());
    expect(answers.map(({ evidence }) => evidence).toSorted()).toEqual(['Andreas likes Pizza.', 'I like pizza.']);
  });

  it('answers the same whether keys and values are kept or not', async () => {
    const answersOf = async (sharesKvCache: boolean) =>
      (await createPage({ model: createFakeModel({ sharesKvCache }) }).router.fetch(post('/qa', pizza))).json();
    expect(await answersOf(true)).toEqual(await answersOf(false));
  });
});
