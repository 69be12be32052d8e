import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QaFound } from '../../../src/contract/qa.ts';
import { createTokenizer } from '../../../workers/engine/loading/tokenizer.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { evaluate } from '../../../workers/operations/predict.ts';
import { explain } from '../../../workers/operations/explain/explain.ts';
import { qa } from '../../../workers/operations/qa.ts';
import { explainJob, firstModel, QUIET, textPrompt } from '../../support/fakes/jobs.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { buildEncoder, ENCODER_CONTEXT } from '../../support/onnx/encoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { place } from '../../support/onnx/place.ts';
import { SMALL_TOKENIZERS } from '../../support/tokenizers/small-tokenizers.ts';
import { factorsWith, measured } from '../measured.ts';

/** Two ways to the same float32 numbers. */
const LIMIT = 1e-5;

const table = measured('Characters that are several tokens');

const tokenizerOf = (name: string) => createTokenizer(SMALL_TOKENIZERS[name] ?? {}, {});

// WebAssembly shows it: which tokens are controlled and read does not depend on the device.
describe.skipIf(place.samples)('a decoder to which a character is four tokens', () => {
  const tokenizer = tokenizerOf('byte fallback');
  const sizes = { ...SMALL_SIZES, vocabulary: tokenizer.vocabulary };
  const [text, target] = ['I love \u{1F600} cats', 'test'];
  const emoji = { start: 7, length: 2 };
  let network: Network;
  beforeAll(async () => (network = await openHere(buildDecoder(sizes, randomWeights(sizes, 3)))));
  afterAll(() => network.release());

  /** Log-probabilities of the target with factor 0 on tokens of the prompt. */
  async function rated(suppressed: readonly number[]): Promise<Float32Array> {
    const targets = Int32Array.from(tokenizer.tokenize(target).ids);
    const ids = Int32Array.from([...tokenizer.tokenize(text).ids, ...targets.subarray(0, -1)]);
    const factors = factorsWith(ids.length, Object.fromEntries(suppressed.map((at) => [at, 0])));
    const perturbation = { mode: 'additive', factors } as const;
    const { logProbabilities } = await network.run({ batch: 1, ids, rows: targets.length, targets, perturbation });
    return logProbabilities ?? new Float32Array();
  }

  it('suppresses all four for a control on it, and for its score', async () => {
    const model = { network, config: {}, tokenizer };
    const own = tokenizer.tokenize(text).spans.flatMap(({ start }, at) => (start === emoji.start ? [at] : []));
    expect(own).toHaveLength(4);
    const [plain, suppressed] = [await rated([]), await rated(own)];
    const change = plain.map((each, at) => each - (suppressed[at] ?? 0));
    expect(Math.max(...change.map(Math.abs)), 'a control that changes nothing would prove nothing').toBeGreaterThan(
      0.1,
    );

    const prompt = textPrompt(text, [{ span: emoji, factor: 0, overlap: 'complete' }]);
    const job = { model: firstModel(), prompt, completion_expected: target, control_log_additive: true };
    const { logProbabilities } = await evaluate(job, model, QUIET);
    table.within('log-probabilities with a control', logProbabilities, suppressed, LIMIT);

    const granularity = { control_factor: 0, prompt_granularity: { type: 'word' } } as const;
    const explained = await explain(explainJob({ prompt: textPrompt(text), target, ...granularity }), model, QUIET);
    const row = explained.sections.findIndex(({ span }) => span?.start === emoji.start);
    const scores = explained.influence.subarray(row * change.length, (row + 1) * change.length);
    table.within('scores of the word', scores, change, LIMIT);
  });
});

// Nor does which characters a token holds.
describe.skipIf(place.samples)('a reader whose tokenizer composes characters', () => {
  it('answers with the same part of a text, however its characters are written', async () => {
    const tokenizer = tokenizerOf('Unigram, NFKC');
    const file = buildEncoder({ head: 'answer', norms: 'after', vocabulary: tokenizer.vocabulary });
    const network = await openHere(file, { max_position_embeddings: ENCODER_CONTEXT });
    const found = async (query: string, text: string) => {
      const places: QaFound[] = [];
      const progress = ({ answered = [] }: { readonly answered?: readonly QaFound[] }) => void places.push(...answered);
      const documents = [{ type: 'text' as const, path: 'documents[0].text', text }];
      const job = { model: firstModel(), query, documents, max_answers: 1 };
      await qa(job, { network, config: {}, tokenizer }, { ...QUIET, listens: true, progress });
      return { start: 0, length: 0, ...places[0]?.answer, score: places[0]?.score };
    };
    const text = 'an m\u00B2 day \u2026 it is \uFB01nal m2 ... final';
    const written = Array.from({ length: text.length + 1 }, (_, end) => text.slice(0, end).normalize('NFKC').length);
    const starts = new Set<number>();
    for (const query of ['the capital', 'apple', 'love cats', 'mark', 'office', 'test']) {
      const { start, length, score } = await found(query, text.normalize('NFKC'));
      const from = written.findLastIndex((before) => before <= start);
      const to = written.findIndex((before) => before >= start + length);
      expect(await found(query, text)).toEqual({ start: from, length: to - from, score });
      starts.add(from);
    }
    expect(starts.size, 'one answer for all questions would prove little').toBeGreaterThan(2);
    await network.release();
  });
});
