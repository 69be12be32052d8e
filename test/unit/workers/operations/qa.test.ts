import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobProgress } from '../../../../src/protocol/messages.ts';
import { embeddedModels } from '../../../../src/models/catalogue.ts';
import { qa } from '../../../../workers/operations/qa.ts';
import { createFakeModel } from '../../../support/fakes/fake-model.ts';
import { QUIET } from '../../../support/fakes/jobs.ts';
import { createFakeReader } from '../../../support/fakes/fake-reader.ts';

const [model] = embeddedModels('http://localhost/models/');
if (!model) throw new Error('expected an embedded model');
const context = QUIET;

const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '');
const words = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('Anna', 'the', 'cats.', '\n\n', '\n', ' ', '水。', '🍕'),
  ),
  { maxLength: 400 },
);
const texts = fc.array(
  words.map((parts) => wellFormed(parts.join(' '))),
  { maxLength: 6 },
);

describe('qa', () => {
  it('quotes every answer from its evidence and every evidence from its document, and leaves nothing out', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (documents) => {
        const job = { model, query: 'Who keeps cats?', max_answers: 200 };
        const readable = documents.map((text) => ({ type: 'text' as const, path: 'documents[0].text', text }));
        const { answers } = await qa({ ...job, documents: readable }, createFakeReader(), context);
        const all = documents.join('\n');
        for (const { answer, score, evidence } of answers) {
          expect(documents.some((text) => text.includes(evidence))).toBe(true);
          expect(evidence).toContain(answer);
          expect(evidence).toBe(evidence.trim());
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
        const solid = (text: string) => [...text].filter((character) => character.trim() !== '').length;
        expect(answers.reduce((sum, { evidence }) => sum + solid(evidence), 0)).toBe(solid(all));
        expect(answers.map(({ score }) => score)).toEqual(answers.map(({ score }) => score).toSorted((a, b) => b - a));
      }),
      { numRuns: 60 },
    );
  });

  it('lets others in between batches and says how far it is', async () => {
    const documents = Array.from({ length: 20 }, (_, i) => ({
      type: 'text' as const,
      path: `documents[${i}].text`,
      text: `Person ${i} came.`,
    }));
    const seen: string[] = [];
    const watched = {
      ...QUIET,
      listens: true,
      checkpoint: async () => void seen.push('checkpoint'),
      progress: ({ done, total }: { done: number; total: number }) => void seen.push(`${done} of ${total}`),
    };
    await qa({ model, query: 'Who came?', documents, max_answers: 30 }, createFakeReader(), watched);
    expect(seen.filter((each) => each !== 'checkpoint')).toEqual(['10 of 20', '20 of 20']);
    for (const [i, each] of seen.entries()) if (each !== 'checkpoint') expect(seen[i - 1]).toBe('checkpoint');
  });

  it('reads what shares the most words with the question first', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `Person ${i} left on a Sunday.`).toSpliced(
      33,
      1,
      'Berta keeps seven cats at home.',
    );
    const documents = texts.map((text, i) => ({ type: 'text' as const, path: `documents[${i}].text`, text }));
    const first: number[] = [];
    const watched = {
      ...QUIET,
      listens: true,
      checkpoint: () => Promise.resolve(),
      progress: ({ answered = [] }: JobProgress) =>
        void first.push(answered.some(({ document }) => document === 33) ? 1 : 0),
    };
    await qa({ model, query: 'Who keeps seven cats?', documents, max_answers: 1 }, createFakeReader(), watched);
    expect(first).toEqual([1, ...Array.from({ length: first.length - 1 }, () => 0)]);
  });

  it('calibrates scores as config.json says', async () => {
    const documents = [{ type: 'text' as const, path: 'documents[0].text', text: 'Berta came.' }];
    const scoreWith = async (config: object) => {
      const { answers } = await qa(
        { model, query: 'Who came?', documents, max_answers: 1 },
        { ...createFakeReader(), config },
        context,
      );
      return answers[0]?.score;
    };
    expect(await scoreWith({})).toBeCloseTo(1 / (1 + Math.exp(-4)), 12);
    expect(await scoreWith({ answer_calibration: { scale: 0.5, bias: -1 } })).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
    expect(await scoreWith({ answer_calibration: { scale: 'much', bias: null } })).toBeCloseTo(
      1 / (1 + Math.exp(-4)),
      12,
    );
  });

  it('gives whole words where a reader points at a part of one', async () => {
    const { network, ...rest } = createFakeReader();
    const run: typeof network.run = (asked) => {
      const values = new Float32Array(asked.ids.length).fill(-1);
      values[0] = 0;
      values[asked.segments?.lastIndexOf(1) ?? 0] = 2;
      const named = { dimensions: [1, values.length], values };
      return Promise.resolve({ outputs: { start_logits: named, end_logits: named } });
    };
    const documents = [{ type: 'text' as const, path: 'documents[0].text', text: 'He met Xylquwort' }];
    expect(rest.tokenizer.tokenize('Xylquwort').ids.length).toBeGreaterThan(2);
    const job = { model, query: 'Who came?', documents, max_answers: 1 };
    const { answers } = await qa(job, { ...rest, network: { ...network, run } }, context);
    expect(answers.map(({ answer }) => answer)).toEqual(['Xylquwort']);
  });

  it('releases the keys and values that a writing model retained', async () => {
    const { network, ...rest } = createFakeModel();
    let held = 0;
    let retained = 0;
    const run: typeof network.run = async (asked) => {
      const answer = await network.run(asked);
      if (!answer.kvCache) return answer;
      held++;
      retained++;
      // The stand-in knows a prefix by its identity.
      return { ...answer, kvCache: Object.assign(answer.kvCache, { release: () => void held-- }) };
    };
    const documents = [{ type: 'text' as const, path: 'documents[0].text', text: 'Berta came.' }];
    await qa(
      { model, query: 'Who came?', documents, max_answers: 1 },
      { ...rest, network: { ...network, run } },
      context,
    );
    expect(retained).toBeGreaterThan(1);
    expect(held).toBe(0);
  });
});
