import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXAMPLES, PICTURE_EXAMPLE } from '../../../src/explanations/examples.ts';
import { promptWords } from '../../../src/pages/explain/question/words.en.ts';

interface Measured {
  readonly title?: string;
  readonly example?: boolean;
  readonly prompt: string;
  readonly answer: string;
}

describe('examples', () => {
  it('are the ones that the model is measured with', () => {
    const text = readFileSync(new URL('../../golden/embedded/context-prompts.json', import.meta.url), 'utf8');
    const measured = (JSON.parse(text) as Measured[]).filter((one) => one.example);
    const examples = EXAMPLES.map(({ name, ...rest }) => ({ ...rest, title: promptWords().examples.names[name] }));
    expect(examples).toEqual(measured.map(({ title, prompt, answer }) => ({ title, prompt, target: answer })));
  });

  it('bring their picture along, as the file that the training drew', async () => {
    const picture = await PICTURE_EXAMPLE.picture?.();
    const file = readFileSync(new URL('../../../src/explanations/held-out-scene.png', import.meta.url));
    expect(picture?.data).toBe(file.toString('base64'));
    expect(picture?.type).toBe('image/png');
  });
});
