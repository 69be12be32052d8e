import { describe, expect, it } from 'vitest';
import { QaResponse } from '../../../src/contract/qa.ts';
import { base64, deflated, docx, paragraph, table } from '../../support/files/docx.ts';
import { createFakeReader } from '../../support/fakes/fake-reader.ts';
import { createPage, post } from '../../support/fakes/page.ts';

const pages = docx(
  paragraph('Andreas likes Pizza.') +
    table([
      ['Name', 'Dish'],
      ['Berta', 'Pasta'],
    ]),
);

const send = (documents: readonly object[], page = createPage({ model: createFakeReader() })) =>
  page.router.fetch(post('/qa', { query: 'Who likes Pizza?', documents }));

describe('POST /qa with Docx documents', () => {
  it('reads paragraphs and tables, as one chunk where they are short', async () => {
    const response = await send([{ docx: pages }]);
    const { answers } = QaResponse.parse(await response.json());
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({
      answer: 'Andreas',
      evidence: 'Andreas likes Pizza.\n\nName | Dish\nBerta | Pasta',
    });
  });

  it('reads documents of all kinds in one request', async () => {
    const prompt = [{ type: 'text', data: 'Carl likes Pizza.' }];
    const response = await send([{ text: 'Dora likes Pizza.' }, { docx: pages }, { prompt }]);
    const { answers } = QaResponse.parse(await response.json());
    expect(answers.map(({ answer }) => answer).toSorted()).toEqual(['Andreas', 'Carl', 'Dora']);
  });

  it('says what it did not read, and of which document', async () => {
    const hidden = docx('<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Berta likes Pizza.</w:t></w:r></w:p>');
    const blank = { prompt: [{ type: 'text', data: '' }] };
    const response = await send([blank, { text: 'Dora likes Pizza.' }, { docx: hidden }]);
    const { answers, not_read: notRead } = QaResponse.parse(await response.json());
    expect(answers.map(({ answer }) => answer)).toEqual(['Dora']);
    expect(notRead).toEqual([{ document: 2, kind: 'hidden_text', count: 1 }]);
  });

  it('answers a file without text with no answers', async () => {
    expect(await (await send([{ docx: docx('') }])).json()).toMatchObject({ answers: [] });
  });

  it.each([
    ['no base64', 'a b=', 'expected base64 of the standard alphabet with its padding, got " " at offset 1'],
    ['no Docx file', base64(Buffer.from('%PDF-1.7')), 'expected a Docx file, got a file that is not a zip archive'],
    [
      'macros',
      docx('', [deflated('word/vbaProject.bin', 'x')]),
      'expected a Docx file, got one with macros, which are not read; save it as .docx',
    ],
  ])('refuses %s, and says which document it is', async (_, file, error) => {
    const response = await send([{ docx: pages }, { docx: file }]);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 'INVALID_REQUEST', error: `documents[1].docx: ${error}` });
  });

  it('refuses a file beyond 64 MB before it is sent anywhere', async () => {
    const response = await send([{ docx: 'A'.repeat(90_000_000) }]);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(
      /^documents\[0\]\.docx: expected at most \d+ characters, got 90000000$/,
    );
  });

  it('stops before the next file when it is aborted', async () => {
    const page = createPage({ model: createFakeReader() });
    const controller = new AbortController();
    const documents = Array.from({ length: 500 }, () => ({ docx: pages }));
    const request = post('/qa', { query: 'Who?', documents }, { signal: controller.signal });
    const answer = page.router.fetch(request);
    setTimeout(() => controller.abort(), 50);
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect((await send([{ docx: pages }], page)).status).toBe(200);
  });

  it('answers 408 when reading takes longer than a request may', async () => {
    const page = createPage({ model: createFakeReader(), timeoutMs: 1000 });
    const response = await send(
      Array.from({ length: 5000 }, () => ({ docx: pages })),
      page,
    );
    expect(response.status).toBe(408);
  });
});
