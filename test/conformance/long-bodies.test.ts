import { describe, expect, it } from 'vitest';
import { LONG_BODY, withLongBody } from '../../src/contract/wire/long-body.ts';
import { createFakeModel } from '../support/fakes/fake-model.ts';
import { createFakeReader } from '../support/fakes/fake-reader.ts';
import { pngOf } from '../support/fakes/fake-images.ts';
import { docx } from '../support/files/docx.ts';
import { createPage, post, TOKEN } from '../support/fakes/page.ts';

const model = 'lightwell-base';
const headers = { Authorization: `Bearer ${TOKEN}` };

/** Sends a body as a text, and as a request that the platform made. */
async function send(path: string, body: string, page = createPage()) {
  const whole = await page.router.fetch(path, { method: 'POST', headers, body });
  const made = await page.router.fetch(post(path, body));
  const answers = [await whole.json(), await made.json()] as const;
  expect([made.status, answers[1]]).toEqual([whole.status, answers[0]]);
  return { status: whole.status, body: answers[0] as Record<string, unknown> };
}

/** Makes a body long without changing what it asks for. */
const padded = (body: object) => `${' '.repeat(LONG_BODY)}${JSON.stringify(body)}`;

/** A picture file with so much behind its end that its text is cut out of its body. */
const image = { type: 'image', data: Buffer.concat([Buffer.from(pngOf(1200, 630), 'base64'), Buffer.alloc(90_000)]) };

describe('a long body', () => {
  it('is answered as a short one', async () => {
    const body = { model, prompt: 'An apple a day', layers: [-1], pooling: ['mean'] };
    expect(await send('/embed', padded(body))).toEqual(await send('/embed', JSON.stringify(body)));
  });

  it.each([
    ['as it is', (text: string) => text],
    ['with its slashes escaped', (text: string) => text.replaceAll('/', '\\/')],
  ])('with a picture, %s, is answered as a short one', async (_, written) => {
    const prompt = [
      { ...image, data: image.data.toString('base64') },
      { type: 'text', data: 'What is it?' },
    ];
    const body = { model, prompt };
    const page = createPage({ model: createFakeModel({ readsImages: true }) });
    const short = await send('/embed', JSON.stringify(body), page);
    expect(short.status).toBe(200);
    expect(await send('/embed', written(padded(body)), page)).toEqual(short);
  });

  it('with a Docx file and a text is answered as a short one', async () => {
    const page = createPage({ model: createFakeReader() });
    const text = 'Someone likes Pizza. '.repeat(5_000); // cut out, and put back
    const body = {
      query: 'Who likes Pizza?',
      documents: [{ docx: docx('Markus likes Pizza.') }, { text }],
      max_answers: 2,
    };
    const short = await send('/qa', JSON.stringify(body), page);
    expect(short.status).toBe(200);
    expect(await send('/qa', padded(body), page)).toEqual(short);
  });

  const refused: readonly [what: string, path: string, body: () => string, status: number, error: RegExp][] = [
    [
      'a text that is too long for every model',
      '/embed',
      () => JSON.stringify({ model, prompt: 'word '.repeat(2_000_000) }),
      413,
      /^body: expected at most 8388608 characters beside its files, got 10000\d+ or more$/,
    ],
    [
      'a long text where a name belongs',
      '/embed',
      () => padded({ model: 'x'.repeat(70_000), prompt: 'x' }),
      404,
      /got "xxx/,
    ],
    [
      'more values than any model reads',
      '/embed',
      () => JSON.stringify({ model, prompt: [{ type: 'token_ids', data: Array(300_000).fill(7) }] }),
      413,
      /^body: expected at most 100000 values, got \d+ or more$/,
    ],
    [
      'JSON without its end',
      '/embed',
      () => padded({ model, prompt: 'x'.repeat(80_000) }).slice(0, -2),
      400,
      /^body: expected JSON, got \d+ characters that are none$/,
    ],
    [
      'base64 with a wrong character far inside',
      '/embed',
      () => padded({ model, prompt: [{ type: 'image', data: `${'A'.repeat(100_000)}-AAA` }] }),
      400,
      /^prompt\[0\]\.data: expected base64 .*, got "-" at offset 100000$/,
    ],
    [
      'an escape that JSON does not have',
      '/embed',
      () => padded({ model, prompt: [{ type: 'image', data: 'A'.repeat(100_000) }] }).replace('AAA', 'A\\x'),
      400,
      /^body: expected JSON, got/,
    ],
    [
      'lists in lists, deeper than functions can be nested',
      '/embed',
      () => `${' '.repeat(LONG_BODY)}{"model":"${model}","prompt":${'['.repeat(90_000)}${']'.repeat(90_000)}}`,
      400,
      /^prompt\[0\]: expected .*, got \[{60}…/,
    ],
  ];
  it('is not too long with a large picture in a message', async () => {
    const url = `data:image/png;base64,${'A'.repeat(9_000_000)}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const { status, body } = await send('/chat/completions', JSON.stringify({ model, messages }));
    expect([status, body['error']]).toEqual([400, expect.stringMatching(/image/)]);
  });

  it.each(refused)('is refused with %s', async (_, path, body, status, error) => {
    const answer = await send(path, body());
    expect([answer.status, answer.body['error']]).toEqual([status, expect.stringMatching(error)]);
  });

  it('is refused as soon as it has more characters than may come', async () => {
    const page = createPage();
    const piece = new Uint8Array(2 ** 20).fill(32);
    let pulled = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(piece);
      },
      cancel: () => void (isCancelled = true),
    });
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const answer = await page.router.fetch(new Request('http://localhost/embed', init));
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: 'PAYLOAD_TOO_LARGE', error: 'body: expected at most 134217728 characters, got 135266304 or more' },
    ]);
    expect(isCancelled).toBe(true);
    expect(pulled).toBeLessThan(140);
    const request = new Request('http://localhost/embed', { method: 'POST', headers });
    const given = withLongBody(request, ' '.repeat(129 * 2 ** 20));
    expect((await page.router.fetch(given)).status).toBe(413);
  });
});
