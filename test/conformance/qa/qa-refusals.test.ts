import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../../src/contract/prompt.ts';
import { createFakeModel } from '../../support/fakes/fake-model.ts';
import { createFakeReader } from '../../support/fakes/fake-reader.ts';
import { pngOf } from '../../support/fakes/fake-images.ts';
import { createPage, post } from '../../support/fakes/page.ts';

const pizza = { query: 'Who likes Pizza?', documents: [{ text: 'Andreas likes Pizza.' }] };
const text = (words: string) => ({ text: words });
const prompt = (data: string) => ({ prompt: [{ type: 'text', data }] });

const refusal = async (body: object, model = createFakeReader()) => {
  const response = await createPage({ model }).router.fetch(post('/qa', body));
  return { status: response.status, ...ErrorBody.parse(await response.json()) };
};

describe('POST /qa, refusals', () => {
  it.each([
    ['no query', { documents: [] }, 'query: expected a string, got nothing'],
    ['an empty query', { ...pizza, query: '' }, 'query: expected a non-empty string, got ""'],
    ['no documents', { query: 'Who?' }, 'documents: expected an array, got nothing'],
    [
      'a document of no kind',
      { query: 'Who?', documents: [text('a'), {}] },
      'documents[1]: expected exactly one of docx, text, prompt, got {}',
    ],
    [
      'a document of two kinds',
      { query: 'Who?', documents: [{ text: 'a', docx: 'b' }] },
      'documents[0]: expected exactly one of docx, text, prompt, got {"text":"a","docx":"b"}',
    ],
    ['a text that is none', { query: 'Who?', documents: [{ text: 5 }] }, 'documents[0].text: expected a string, got 5'],
    [
      'a prompt that is a string',
      { query: 'Who?', documents: [{ prompt: 'a' }] },
      'documents[0].prompt: expected an array, got "a"',
    ],
    [
      'a foreign operator',
      { ...pizza, hosting: 'elsewhere' },
      'hosting: expected null, "operator" or "lightwell", got "elsewhere"',
    ],
  ])('refuses %s', async (_, body, error) => {
    expect(await refusal(body)).toEqual({ status: 400, code: 'PAYLOAD_ERROR', error });
  });

  it('refuses text that is not well-formed', async () => {
    const { code, error } = await refusal({ query: 'Who?', documents: [text('a'), text('b\uD800')] });
    expect(code).toBe('INVALID_REQUEST');
    expect(error).toMatch(/^documents\[1\]\.text: .* lone surrogate at UTF-16 offset 1$/);
  });

  it('refuses a token id that the model does not have', async () => {
    const { code, error } = await refusal({
      query: 'Who?',
      documents: [{ prompt: [{ type: 'token_ids', data: [1e6] }] }],
    });
    expect(code).toBe('INVALID_REQUEST');
    expect(error).toMatch(/^documents\[0\]\.prompt\[0\]\.data\[0\]: expected a token id below \d+, got 1000000$/);
  });

  it('refuses an image: no reader sees', async () => {
    const { status, code, error } = await refusal({
      query: 'Who?',
      documents: [{ prompt: [{ type: 'image', data: pngOf(8, 8) }] }],
    });
    expect([status, code]).toEqual([400, 'MISSING_CAPABILITY']);
    expect(error).toMatch(/^documents\[0\]\.prompt\[0\]: /);
  });

  it.each([
    [
      'prompt',
      { query: 'Who?', documents: [prompt('word '.repeat(600))] },
      /^documents\[0\]\.prompt: expected at most \d+ tokens, got \d+$/,
    ],
    [
      'prompt by far',
      { query: 'Who?', documents: [prompt('word '.repeat(60_000))] },
      /^documents\[0\]\.prompt\[0\]\.data: expected at most/,
    ],
    ['query', { ...pizza, query: 'word '.repeat(600) }, /^query: expected at most \d+ tokens, got \d+$/],
  ])('refuses a %s that does not fit the context', async (_, body, error) => {
    const refused = await refusal(body);
    expect(refused).toMatchObject({ status: 400, code: 'PROMPT_TOO_LONG' });
    expect(refused.error).toMatch(error);
  });

  it('says that a model can neither point at answers nor write them', async () => {
    const { network, ...model } = createFakeModel();
    const encoder = { ...model, network: { ...network, shape: { ...network.shape, vocabulary: 0 } } };
    const refused = await refusal(pizza, encoder);
    expect(refused).toMatchObject({ status: 400, code: 'MISSING_CAPABILITY' });
  });

  it.each([0, 201, 1.5, -1, '30'])('refuses %s', async (max_answers) => {
    const { status, code, error } = await refusal({ ...pizza, max_answers });
    expect([status, code]).toEqual([400, 'PAYLOAD_ERROR']);
    expect(error).toMatch(/^max_answers: expected /);
  });
});
