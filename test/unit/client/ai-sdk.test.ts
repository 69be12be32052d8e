import { embedMany, generateText, Output, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLightwell } from '../../../src/client/ai-sdk.ts';
import { runExample } from '../../support/documented-example.ts';
import { openAiPage } from '../../support/fakes/openai-page.ts';

const page = openAiPage({ contextTokens: 128 });
const lightwell = createLightwell(page);
const usual = { prompt: 'Hello', maxOutputTokens: 4, temperature: 0, maxRetries: 0 };

async function answerOf(path: string, body: object) {
  const headers = { Authorization: `Bearer ${page.token}` };
  const response = await page.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

describe('the provider for the AI SDK', () => {
  it('writes, and streams the same text', async () => {
    const { text, usage } = await generateText({ model: lightwell('lightwell-base'), ...usual });
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = { model: 'lightwell-base', messages, maximum_tokens: 4 };
    const { choices } = await answerOf('/chat/completions', body);
    expect(text).toBe(choices[0].message.content);
    expect(usage.outputTokens).toBe(4);
    const stream = streamText({ model: lightwell('lightwell-base'), ...usual });
    expect(await stream.text).toBe(text);
    expect((await stream.usage).outputTokens).toBe(4);
    expect(await stream.finishReason).toBe('length');
  });

  it('continues texts', async () => {
    const { text } = await generateText({ model: lightwell.completionModel('lightwell-base'), ...usual });
    expect(text.length).toBeGreaterThan(0);
  });

  it('is used as the documents show it', async () => {
    const names = { service: page, generateText, streamText, createLightwell };
    const [text, answer] = (await runExample('lightwell/ai-sdk', names, '[text, await answer.text]')) as string[];
    expect(text?.length).toBeGreaterThan(0);
    expect(answer?.length).toBeGreaterThan(0);
  });

  it('writes JSON of a schema', async () => {
    const output = Output.object({ schema: z.object({ open: z.boolean() }) });
    const { output: answer } = await generateText({
      model: lightwell('lightwell-base'),
      prompt: 'Is it open?',
      output,
    });
    expect(answer).toEqual({ open: expect.any(Boolean) });
  });

  it('embeds', async () => {
    const values = ['A cat', 'A dog'];
    const { embeddings } = await embedMany({ model: lightwell.embeddingModel('lightwell-embed'), values });
    const { data } = await answerOf('/v1/embeddings', { model: 'lightwell-embed', input: values });
    expect(embeddings).toEqual(data.map(({ embedding }: { embedding: number[] }) => embedding));
  });

  it('reads a picture of a message', async () => {
    const image = new Uint8Array([1, 2, 3]);
    const content = [{ type: 'image' as const, image, mediaType: 'image/png' }];
    const messages = [{ role: 'user' as const, content }];
    const failing = generateText({ model: lightwell('lightwell-base'), messages, maxRetries: 0 });
    await expect(failing).rejects.toThrow(/image_url\.url: expected a PNG, JPEG or WebP file/);
  });

  it('says what is refused, and stops when it is aborted', async () => {
    await expect(generateText({ model: lightwell('none'), ...usual })).rejects.toThrow(/expected one of .*got "none"/);
    const abortSignal = AbortSignal.abort();
    const model = lightwell('lightwell-base');
    await expect(generateText({ model, ...usual, abortSignal })).rejects.toThrow(/abort/i);
  });

  it('takes a token that was replaced', async () => {
    page.replaceToken();
    expect((await generateText({ model: lightwell('lightwell-base'), ...usual })).text).not.toBe('');
  });
});
