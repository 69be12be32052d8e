import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../../src/state/examples.ts';

interface Measured {
  readonly title?: string;
  readonly example?: boolean;
  readonly prompt: string;
  readonly answer: string;
}

describe('examples', () => {
  it('are the ones that the model is measured with', () => {
    const text = readFileSync(new URL('../../../golden/context-prompts.json', import.meta.url), 'utf8');
    const measured = (JSON.parse(text) as Measured[]).filter((one) => one.example);
    expect(EXAMPLES).toEqual(measured.map(({ title, prompt, answer }) => ({ title, prompt, target: answer })));
  });
});
