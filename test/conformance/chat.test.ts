import { describe, expect, it } from 'vitest';
import { ChatResponse } from '../../src/contract/openai.ts';
import { createFakeModel } from '../support/fakes/fake-model.ts';
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
  return createPage({ model: { ...createFakeModel(), generation } }).router;
};
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
