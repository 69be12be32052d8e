import { describe, expect, it } from 'vitest';
import { costOf } from '../../../src/scheduler/cost.ts';
import { embedJob, explainJob, firstModel, textPrompt } from '../../support/fakes/jobs.ts';

const page = 'A page of text has some three thousand characters. '.repeat(60);
const long = explainJob({ prompt: textPrompt(page), target: ' and so on' });

describe('costOf', () => {
  it('puts what is asked in the order in which it is computed', () => {
    const costs = [
      costOf('prepare', { model: firstModel() }),
      costOf('embed', embedJob('hello')),
      costOf('qa', {
        model: firstModel(),
        query: 'Who wrote it?',
        max_answers: 3,
        documents: [{ type: 'text', path: 'documents[0].text', text: page }],
      }),
      costOf('explain', { ...long, prompt_granularity: { type: 'sentence' } }),
      costOf('explain', { ...long, prompt_granularity: { type: 'word' } }),
      costOf('explain', long),
    ];
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
    expect(new Set(costs).size).toBe(costs.length);
  });

  it('counts the positions of a picture, and those of an answer that is written about it', () => {
    const picture = { type: 'image', file: new Uint8Array(0), format: 'PNG', crop: null, controls: [] } as const;
    const prompt = { path: 'prompt', items: [picture] };
    expect(costOf('embed', { ...embedJob(''), prompt })).toBe(144);
    const documents = [{ type: 'prompt', prompt } as const];
    expect(costOf('qa', { model: firstModel(), query: '', max_answers: 1, documents })).toBeGreaterThan(144);
  });

  it('counts the prompts of a batch together, and a file by its bytes', () => {
    const { layers: _, pooling: __, prompt, ...rest } = embedJob('some words of text');
    const many = { ...rest, prompts: [prompt, prompt], representation: 'symmetric' } as const;
    expect(costOf('semanticEmbed', many)).toBe(2 * costOf('embed', embedJob('some words of text')));
    expect(costOf('extractText', { file: new Uint8Array(6_400), path: '' })).toBe(100);
  });
});
