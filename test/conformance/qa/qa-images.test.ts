import { describe, expect, it } from 'vitest';
import { QaResponse } from '../../../src/contract/qa.ts';
import { embeddedModels } from '../../../src/models/catalogue.ts';
import type { Model } from '../../../src/models/model.ts';
import { pngOf } from '../../support/fakes/fake-images.ts';
import { createFakeModel } from '../../support/fakes/fake-model.ts';
import { createPage, post } from '../../support/fakes/page.ts';

const square = { type: 'image', data: pngOf(120, 120) };

describe('images in POST /qa', () => {
  const seeing = { ...embeddedModels('http://localhost/models/')[0], capabilities: ['explain', 'images'] } as Model;
  const reader = { ...seeing, name: 'reader', version: 'reader', capabilities: ['qa'] } as Model;
  const question = { query: 'What is in the picture?' };
  const ask = async (documents: readonly object[], models = [reader, seeing]) => {
    const model = createFakeModel({ readsImages: true });
    const { router } = createPage({ model, models });
    const body = { ...question, documents };
    return { answer: QaResponse.parse(await (await router.fetch(post('/qa', body))).json()), runs: model.runs, model };
  };

  it('are answered by a model that sees, other documents by the model made for answers', async () => {
    const { answer } = await ask([{ prompt: [square] }, { text: 'Anna sleeps.' }]);
    expect(answer.model_version).toBe(seeing.version);
    expect(answer.answers.map(({ evidence }) => evidence).toSorted()).toEqual(['<image>', 'Anna sleeps.']);
    expect((await ask([{ text: 'Anna sleeps.' }])).answer.model_version).toBe('reader');
  });

  it('are read where they stand, the question at once behind a picture and on a new line behind text', async () => {
    const text = { type: 'text', data: 'See' };
    for (const [prompt, asked] of [
      [[text, square], 'Question: What is in the picture?\nAnswer:'],
      [[square, text], '\nQuestion: What is in the picture?\nAnswer:'],
    ] as const) {
      const { runs, model } = await ask([{ prompt }], [seeing]);
      const [first] = runs;
      expect(first?.embeddingOverrides?.map(({ position }) => position)).toEqual([
        prompt[0] === text ? model.tokenizer.tokenize(text.data).ids.length : 0,
      ]);
      const ids = [...(first?.ids ?? [])].slice(-model.tokenizer.tokenize(asked).ids.length);
      expect(model.tokenizer.read(ids).text).toBe(asked);
    }
  });

  it('act through their controls', async () => {
    const rects = { controls: [{ rect: { left: 0, top: 0, width: 1, height: 1 }, factor: 0 }] };
    const [plain] = (await ask([{ prompt: [square] }])).answer.answers;
    const [controlled] = (await ask([{ prompt: [{ ...square, ...rects }] }])).answer.answers;
    expect(controlled).not.toEqual(plain);
  });
});
