import assert from 'node:assert/strict';
import type { QaResponse } from '../../../src/contract/qa.ts';
import type { Ask } from '../transport/ask.ts';
import { row, type Row } from './row.ts';

const query = 'Who likes Pizza?';
const text = 'Andreas likes Pizza.';
const qa = async (ask: Ask, body: object) => (await ask.ok<QaResponse>('/qa', { query, ...body })).answers;
const refused = (ask: Ask, body: object) => ask.refused(400, '/qa', { query, documents: [{ text }], ...body });
const prompts = (count: number) => Array.from({ length: count }, () => ({ prompt: [{ type: 'text', data: text }] }));
const LONG = Array.from({ length: 200 }, (_, i) => `Visitor number ${i} came from Oslo and stayed for ${i} days.`).join(
  '\n\n',
);

/** `POST /qa`. */
export const QA_ROWS: readonly Row[] = [
  row('facts §1.6', 'the answer has its keys in order', async (ask) => {
    const body = await ask.ok<QaResponse>('/qa', { query, documents: [{ text }] });
    assert.deepEqual(Object.keys(body), ['model_version', 'answers']);
    assert.deepEqual(Object.keys(body.answers[0] ?? {}), ['answer', 'score', 'evidence']);
  }),
  row('own', 'the model that is named answers', async (ask) => {
    for (const model of ['lightwell-reader', null, undefined]) {
      const body = await ask.ok<QaResponse>('/qa', { query, documents: [{ text }], model });
      assert.match(body.model_version, /^lightwell-reader/);
    }
    const written = await ask.ok<QaResponse>('/qa', { query, documents: [{ text }], model: 'lightwell-base' });
    assert.match(written.model_version, /^lightwell-base/);
  }),
  row('own', 'an unknown model, and one that cannot answer, are refused with those that can', async (ask) => {
    const body = { query, documents: [{ text }] };
    const unknown = await ask.refused(404, '/qa', { ...body, model: 'no-such-model' });
    assert.equal(unknown.code, 'UNKNOWN_MODEL');
    const incapable = await ask.refused(400, '/qa', { ...body, model: 'lightwell-embed' });
    assert.equal(incapable.code, 'MISSING_CAPABILITY');
    for (const { error } of [unknown, incapable])
      assert.match(error, /^model: expected one of "lightwell-reader", .*got "/);
    assert.doesNotMatch(unknown.error, /lightwell-embed/);
  }),
  row('facts §1.6', 'a short text is one chunk, which is the evidence', async (ask) => {
    assert.deepEqual(
      (await qa(ask, { documents: [{ text }] })).map(({ evidence }) => evidence),
      [text],
    );
  }),
  row('facts §1.6', 'the documented example is answered', async (ask) => {
    assert.equal((await qa(ask, { documents: [{ text }] }))[0]?.answer, 'Andreas');
  }),
  row('facts §1.6', 'scores lie in (0, 1], best first', async (ask) => {
    const scores = (await qa(ask, { documents: [{ text }, { text: 'Nothing of the sort.' }] })).map(
      ({ score }) => score,
    );
    assert.ok(scores.every((score) => score > 0 && score <= 1));
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  }),
  row('facts §1.6', 'a clear answer scores above 0.5, and one that is not there below', async (ask) => {
    const scoreOf = async (document: string) =>
      (await qa(ask, { query: 'Where does the Eiffel Tower stand?', documents: [{ text: document }] }))[0]?.score ??
      NaN;
    assert.ok((await scoreOf('The Eiffel Tower stands in Paris. It was finished in 1889.')) > 0.5);
    assert.ok((await scoreOf('the weather was fine.')) < 0.5);
  }),
  row('facts §1.6', 'no documents have no answers', async (ask) => {
    assert.deepEqual(await qa(ask, { documents: [] }), []);
  }),
  row('issue, blank documents', 'blank documents have no answers', async (ask) => {
    assert.deepEqual(await qa(ask, { documents: [{ text: '' }, { text: ' \n ' }, { prompt: [] }] }), []);
  }),
  row('facts §1.6', '20 prompt documents have 20 answers', async (ask) => {
    assert.equal((await qa(ask, { documents: prompts(20) })).length, 20);
  }),
  row('interface, POST /qa', 'a long text has one answer per chunk, its evidence verbatim', async (ask) => {
    const answers = await qa(ask, { documents: [{ text: LONG }], max_answers: 200 });
    assert.ok(answers.length > 1);
    for (const { evidence } of answers) assert.ok(LONG.includes(evidence), evidence.slice(0, 40));
  }),
  row('interface, Limits', 'at most 30 answers unless told, and as many as told', async (ask) => {
    assert.equal((await qa(ask, { documents: prompts(35) })).length, 30);
    assert.equal((await qa(ask, { documents: prompts(35), max_answers: 3 })).length, 3);
  }),
  row('interface, Limits', 'max_answers lies between 1 and 200', async (ask) => {
    for (const max_answers of [0, 201, 1.5, '3'])
      assert.match((await refused(ask, { max_answers })).error, /^max_answers: expected/);
  }),
  row('interface, Versioning', 'the operation says that it is deprecated', async (ask) => {
    const { headers } = await ask.raw('/qa', { query, documents: [] });
    assert.ok(headers['deprecation'], 'no header Deprecation');
  }),
  row('interface, POST /qa', 'a query is needed', async (ask) => {
    assert.match((await refused(ask, { query: undefined })).error, /^query: expected/);
  }),
  row('interface, POST /qa', 'a document is exactly one of three kinds', async (ask) => {
    for (const document of [{}, { text, docx: '' }, { pdf: 'x' }, text])
      assert.match((await refused(ask, { documents: [{ text }, document] })).error, /^documents\[1\]/);
  }),
  row('interface, POST /qa', 'a Docx file that is none is refused with its place', async (ask) => {
    for (const docx of ['!!!', btoa('no zip file'), ''])
      assert.match((await refused(ask, { documents: [{ docx }] })).error, /^documents\[0\]\.docx: /);
  }),
];
