import { expect, it, describe } from 'vitest';
import type { Network, KvCache } from '../../../workers/engine/network.ts';
import { readPieces, readTrainedDecoder } from '../../support/onnx/llama2c-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { fileBytes, place } from '../../support/onnx/place.ts';
import { factorsWith, measured } from '../measured.ts';
import { logProbability, referencePass } from '../reference-decoder.ts';

const BEGIN = 1;
const STORY_TOKENS = 40;

const table = measured('stories260K: weights trained by others');

if (place.data === null) console.log('Skipped, stories260K: no folder ../shared/data (or LIGHTWELL_DATA)');

/** The most probable continuation, one token at a time behind the retained past. */
async function tellStory(network: Network): Promise<number[]> {
  const story = [BEGIN];
  let past: KvCache | undefined;
  while (story.length < STORY_TOKENS) {
    const cached = past && { kvCache: past, tokens: past.tokens };
    const ids = Int32Array.of(story.at(-1) ?? BEGIN);
    const { logits, kvCache } = await network.run({
      batch: 1,
      ids,
      logits: true,
      keepKvCache: true,
      ...(cached && { cached }),
    });
    past?.release();
    past = kvCache;
    story.push(logits?.indexOf(Math.max(...logits)) ?? 0);
  }
  past?.release();
  return story;
}

// The reason is printed above.
describe.skipIf(place.data === null)('a trained story teller', () => {
  it('tells a story, whose influences match the float64 reference', async () => {
    const { sizes, weights } = readTrainedDecoder(await fileBytes(`${place.data}/weights/stories260K/stories260K.bin`));
    const pieces = readPieces(await fileBytes(`${place.data}/weights/stories260K/tok512.bin`));
    const network = await openHere(buildDecoder(sizes, weights), { max_position_embeddings: sizes.contextTokens });
    const story = await tellStory(network);
    const text = story
      .slice(1)
      .map((id) => pieces[id])
      .join('');
    console.log(`stories260K: ${text}`);
    expect(text).toMatch(/^ ?Once upon a time, there was a little \w+/);

    const ids = Int32Array.from(story.slice(0, 24));
    const targets = Int32Array.from(story.slice(1, 25));
    for (const mode of ['additive', 'multiplicative'] as const) {
      const factors = factorsWith(ids.length, { 9: 0.1 });
      const { logProbabilities } = await network.run({
        batch: 1,
        ids,
        rows: ids.length,
        targets,
        perturbation: { mode, factors },
      });
      const { logits } = referencePass(sizes, weights, ids, { mode, factors });
      const expected = logits.map((row, index) => logProbability(row, targets[index] ?? 0));
      table.within(`${mode}, factor 0.1: log-probabilities of 24 tokens`, logProbabilities, expected, 1e-4);
    }
    await network.release();
  });
});
