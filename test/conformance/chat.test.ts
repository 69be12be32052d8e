import { describe, expect, it } from 'vitest';
import { ChatResponse } from '../../src/contract/openai.ts';
import { embeddedModels } from '../../src/models/catalogue.ts';
import { createFakeModel } from '../support/fakes/fake-model.ts';
import { base64Of, encodePng } from '../support/files/png.ts';
import { createPage, post } from '../support/fakes/page.ts';

const TEMPLATE =
  "{% for message in messages %}{% if message.role == 'system' and not loop.first %}{{ raise_exception('system comes first') }}{% endif %}" +
  '{{ message.role }}: {{ message.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}';
const base = {
  model: 'lightwell-base',
  messages: [{ role: 'user', content: 'Hello, how are you?' }],
  maximum_tokens: 5,
};

const page = (chatTemplate?: string) => {
  const generation = { config: {}, marks: {}, ...(chatTemplate !== undefined && { chatTemplate }) };
  return createPage({ model: { ...createFakeModel({ readsImages: true }), generation } }).router;
};

const PICTURE = base64Of(encodePng(32, 32, () => [215, 35, 40]));
const text = { type: 'text', text: 'Look:' };
const picture = (url = `data:image/png;base64,${PICTURE}`) => ({ type: 'image_url', image_url: { url } });
const lookingAt = (...content: readonly object[]) => ({ messages: [{ role: 'user', content }] });
const ask = (body: object = {}, router = page(TEMPLATE)) =>
  router.fetch(post('/chat/completions', { ...base, ...body }));

describe('POST /chat/completions', () => {
  it('completes the dialogue in the form of the template', async () => {
    const router = page(TEMPLATE);
    const { choices, usage, object } = ChatResponse.parse(await (await ask({}, router)).json());
    expect(object).toBe('chat.completion');
    const prompt = 'user: Hello, how are you?\nassistant:';
    const body = { model: 'lightwell-base', prompt, maximum_tokens: 5 };
    const { completions, num_tokens_prompt_total: tokens } = await (await router.fetch(post('/complete', body))).json();
    expect(choices).toMatchObject([
      { index: 0, finish_reason: 'length', message: { role: 'assistant', content: completions[0].completion } },
    ]);
    expect(usage).toEqual({ prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 });
  });

  it('streams as the client reads it: role, texts, reason, usage, the end', async () => {
    const whole = ChatResponse.parse(await (await ask()).json());
    const response = await ask({ stream: true, stream_options: { include_usage: true } });
    expect(response.headers.get('Content-Type')).toBe('text/event-stream');
    const events = (await response.text()).split('\n\n').filter(Boolean);
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /, '')));
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.at(-2).choices[0]).toMatchObject({ finish_reason: 'length', delta: {} });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    const text = chunks.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
  });

  it('says what the template refuses', async () => {
    const messages = [...base.messages, { role: 'system', content: 'Be brief.' }];
    const response = await ask({ messages });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'INVALID_REQUEST',
      error: expect.stringMatching(/^messages: .*system comes first/),
    });
  });

  it('refuses a model that was not made for dialogues', async () => {
    const response = await ask({}, page());
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'MISSING_CAPABILITY' });
  });

  it('names what is wrong with a message', async () => {
    const response = await ask({ messages: [{ role: 'robot', content: 'x' }] });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(/^messages\[0\]\.role: expected one of/);
  });
});

/** In the manner of templates of vision-language models, which go through the parts of a message. */
const OF_PARTS =
  "{% for message in messages %}{{ message.role }}: {% for part in message.content %}{% if part['type'] == 'text' %}{{ part['text'] }}{% endif %}|{% endfor %}{{ '\n' }}{% endfor %}assistant:";

describe('parts of a message', () => {
  const completed = async (prompt: readonly object[], router: ReturnType<typeof page>) => {
    const body = { model: 'lightwell-base', prompt, maximum_tokens: 5 };
    const { completions, num_tokens_prompt_total: tokens } = await (await router.fetch(post('/complete', body))).json();
    return { text: completions[0].completion, tokens };
  };
  const answered = async (body: object, router: ReturnType<typeof page>) => {
    const { choices, usage } = ChatResponse.parse(await (await ask(body, router)).json());
    return { text: choices[0]?.message.content, tokens: usage.prompt_tokens };
  };
  const at = (before: string, after: string) => [
    { type: 'text', data: before },
    { type: 'image', data: PICTURE },
    { type: 'text', data: after },
  ];

  it.each([
    ['writes texts', TEMPLATE, at('user: Look:\n', '\nassistant:')],
    ['goes through parts', OF_PARTS, at('user: Look:|', '|\nassistant:')],
  ])('are what the model reads at their places, where the template %s', async (_, template, prompt) => {
    const router = page(template);
    const expected = await completed(prompt, router);
    expect(expected.tokens).toBeGreaterThan(144);
    expect(await answered(lookingAt(text, picture()), router)).toEqual(expected);
  });

  it('are the text that they are, where the template goes through parts', async () => {
    const router = page(OF_PARTS);
    const expected = await completed([{ type: 'text', data: 'user: Hello, how are you?|\nassistant:' }], router);
    expect(await answered({}, router)).toEqual(expected);
  });

  it.each([
    [
      [picture('https://example.org/cat.png')],
      /^messages\[0\]\.content\[0\]\.image_url\.url: expected a picture as data:.*not fetched, got "https:\/\/example\.org\/cat\.png"/,
    ],
    [[picture('data:image/png;base64,=x')], /^messages\[0\]\.content\[0\]\.image_url\.url: expected base64/],
    [
      [text, picture(`data:image/png;base64,${base64Of(new Uint8Array(64))}`)],
      /content\[1\]\.image_url\.url: expected a PNG, JPEG or WebP file/,
    ],
    [
      [picture(`data:image/png;base64,${PICTURE.slice(0, 64)}`)],
      /^messages\[0\]\.content\[0\]\.image_url\.url: expected a PNG file that can be decoded/,
    ],
    [
      [{ type: 'image_url', image_url: { url: 'x', detail: 'low' } }],
      /^messages\[0\]\.content\[0\]\.image_url\.detail: expected "auto"/,
    ],
    [
      [{ type: 'input_audio', input_audio: {} }],
      /^messages\[0\]\.content\[0\]\.type: expected one of "text", "image_url", got "input_audio"/,
    ],
    [[{ type: 'text', text: '\ud800' }], /^messages\[0\]\.content\[0\]\.text: expected well-formed/],
  ])('are refused in words: %#', async (content, reason) => {
    const response = await ask(lookingAt(...content));
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(reason);
  });

  it('are refused where the template leaves a picture out, or writes it twice', async () => {
    for (const template of ['{{ messages[0].role }}', '{{ messages[0].content }}{{ messages[0].content }}']) {
      const response = await ask(lookingAt(picture()), page(template));
      expect(response.status).toBe(400);
      expect((await response.json()).error).toMatch(
        /^messages: expected a model whose chat template writes each picture once/,
      );
    }
  });

  it('are refused for a model that reads no pictures', async () => {
    const models = embeddedModels('http://localhost/models/').map((model) => ({
      ...model,
      capabilities: model.capabilities.filter((each) => each !== 'images'),
    }));
    const response = await ask(lookingAt(picture()), createPage({ models }).router);
    expect(await response.json()).toMatchObject({
      code: 'MISSING_CAPABILITY',
      error: expect.stringMatching(/^messages\[0\]\.content\[0\]\.image_url\.url: .*got an image/),
    });
  });
});
