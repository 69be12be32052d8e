/// <reference types="dom-chromium-ai" />
import { describe, expect, it, vi } from 'vitest';
import { createLanguageModel } from '../../../src/client/prompt-api.ts';
import { encodePng } from '../../support/files/png.ts';
import { runExample } from '../../support/documented-example.ts';
import { openAiPage } from '../../support/fakes/openai-page.ts';

/** The functions of Chrome's object that this one has, as they are typed there. */
type Shape = Pick<
  LanguageModel,
  'prompt' | 'promptStreaming' | 'append' | 'measureContextUsage' | 'contextUsage' | 'contextWindow'
> & {
  clone(options?: LanguageModelCloneOptions): Promise<Shape>;
  destroy(): undefined;
};

const page = openAiPage({ contextTokens: 256, ends: Array.from({ length: 16 }, (_, at) => 4 * at + 3) });
const model = createLanguageModel(page, 'lightwell-base');
const initialPrompts = [{ role: 'system', content: 'Be brief.' }] as const;

/** The answer of `/chat/completions`, which a session must give. */
async function chat(messages: readonly object[]) {
  const headers = { Authorization: `Bearer ${page.token}` };
  const body = JSON.stringify({ model: 'lightwell-base', messages });
  const response = await page.fetch('/chat/completions', { method: 'POST', headers, body });
  const { choices, usage } = await response.json();
  return { text: choices[0].message.content as string, tokens: usage.total_tokens as number };
}

async function piecesOf(stream: ReadableStream<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe("an object of the shape of Chrome's LanguageModel", () => {
  it('has sessions of that shape', async () => {
    const session: Shape = await model.create();
    expect([session.contextWindow, session.contextUsage]).toEqual([256, 0]);
  });

  it('answers a dialogue, each prompt after the ones before', async () => {
    const session = await model.create({ initialPrompts });
    const first = await chat([...initialPrompts, { role: 'user', content: 'Hello' }]);
    expect(first.text.length).toBeGreaterThan(0);
    expect(await session.prompt('Hello')).toBe(first.text);
    expect(session.contextUsage).toBe(first.tokens);
    const copy = await session.clone();
    const before = [...initialPrompts, { role: 'user', content: 'Hello' }, { role: 'assistant', content: first.text }];
    await session.append('And then?');
    const second = await chat(
      before.concat([
        { role: 'user', content: 'And then?' },
        { role: 'user', content: 'Why?' },
      ]),
    );
    expect(await session.prompt('Why?')).toBe(second.text);
    const other = await chat(before.concat({ role: 'user', content: 'Why?' }));
    expect(await copy.prompt([{ role: 'user', content: 'Why?' }]), 'what a clone has').toBe(other.text);
  });

  it('streams what prompt returns, and stops when the stream is cancelled', async () => {
    const text = await (await model.create()).prompt('Hello');
    const session = await model.create();
    const pieces = await piecesOf(session.promptStreaming('Hello'));
    expect(pieces.join('')).toBe(text);
    await session.promptStreaming('Hello').cancel();
    expect(await session.prompt('Next'), 'a cancelled prompt leaves nothing').toBe(
      (
        await chat([
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: text },
          { role: 'user', content: 'Next' },
        ])
      ).text,
    );
  });

  it('is used as the documents show it', async () => {
    const pieces: string[] = [];
    const console = { log: (piece: string) => pieces.push(piece) };
    await runExample('lightwell/prompt-api', { service: page, createLanguageModel, console }, 'null');
    expect(pieces.join('')).toBe((await chat([{ role: 'user', content: 'Who likes pizza?' }])).text);
  });

  it('writes JSON of a schema', async () => {
    const session = await model.create();
    const responseConstraint = { type: 'object', properties: { open: { type: 'boolean' } }, required: ['open'] };
    const answer = JSON.parse(await session.prompt('Is it open?', { responseConstraint })) as object;
    expect(answer).toEqual({ open: expect.any(Boolean) });
  });

  it('measures what a prompt adds', async () => {
    const session = await model.create({ initialPrompts });
    const before = session.contextUsage;
    const added = await session.measureContextUsage('Hello');
    await session.append('Hello');
    expect(session.contextUsage - before).toBe(added);
  });

  it('forgets the oldest prompt with its answer where another does not fit, but not the system', async () => {
    const session = await model.create({ initialPrompts });
    const onOverflow = vi.fn();
    session.oncontextoverflow = onOverflow;
    const long = 'word '.repeat(120);
    await session.append([
      { role: 'user', content: long },
      { role: 'assistant', content: 'Long.' },
    ]);
    await session.append(long);
    expect(onOverflow).toHaveBeenCalledTimes(1);
    const messages = [...initialPrompts, { role: 'user', content: long }, { role: 'user', content: 'Hello' }];
    expect(await session.prompt('Hello')).toBe((await chat(messages)).text);
  });

  it('forgets nothing where a prompt does not fit alone', async () => {
    const session = await model.create({ initialPrompts });
    session.oncontextoverflow = () => expect.unreachable();
    await session.append('Hello');
    await expect(session.prompt('word '.repeat(400))).rejects.toMatchObject({ name: 'QuotaExceededError' });
    const messages = [...initialPrompts, { role: 'user', content: 'Hello' }, { role: 'user', content: 'Now?' }];
    expect(await session.prompt('Now?')).toBe((await chat(messages)).text);
  });

  it('reads pictures', async () => {
    const session = await model.create({ expectedInputs: [{ type: 'image' }] });
    const png = encodePng(32, 32, () => [215, 35, 40]);
    const content = [
      { type: 'text', value: 'See:' },
      { type: 'image', value: new Blob([png]) },
    ] as const;
    await session.append([{ role: 'user', content }]);
    expect(session.contextUsage).toBeGreaterThan(144);
  });

  it('says what it cannot do', async () => {
    expect(await model.availability()).toBe('available');
    expect(await model.availability({ expectedInputs: [{ type: 'audio' }] })).toBe('unavailable');
    expect(await createLanguageModel(page, 'lightwell-embed').availability()).toBe('unavailable');
    const refused = { name: 'NotSupportedError' };
    await expect(createLanguageModel(page, 'none').create()).rejects.toMatchObject(refused);
    await expect(model.create({ tools: [] } as object)).rejects.toMatchObject(refused);
    const session = await model.create();
    await expect(session.prompt('Hello', { responseConstraint: /x/ } as object)).rejects.toMatchObject(refused);
    const audio = [{ role: 'user', content: [{ type: 'audio', value: new Uint8Array(1) }] }] as const;
    await expect(session.append(audio)).rejects.toMatchObject(refused);
    const prefixed = [{ role: 'assistant', content: 'It', prefix: true }] as const;
    await expect(session.prompt(prefixed)).rejects.toMatchObject(refused);
  });

  it('ends', async () => {
    const session = await model.create();
    const running = session.prompt('Hello');
    session.destroy();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await expect(session.prompt('Hello')).rejects.toMatchObject({ name: 'AbortError' });
    const signal = AbortSignal.abort();
    await expect((await model.create()).prompt('Hello', { signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
