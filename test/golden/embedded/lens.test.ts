import { describe, expect, it } from 'vitest';
import type { LensResponse, PredictResponse } from '../../../src/contract/likelihood.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { createPage, post } from '../../support/fakes/page.ts';
import { place } from '../../support/onnx/place.ts';

const PROMPT = 'Marta was born in Warsaw.\nQuestion: Where was Marta born?\nAnswer:';
const base = { model: 'lightwell-base', prompt: PROMPT, target: ' Warsaw', alternatives: 3 };

// The numbers do not depend on the place; one place, the fastest to start, is enough.
describe.runIf(place.backend === 'wasm' && !place.browser)('the layers of the embedded model', () => {
  it('end in what it predicts itself, which layers before it do not know', async () => {
    const page = createPage({ model: await openEmbeddedModel(), timeoutMs: 60_000 });
    const asked = async <Body>(path: string): Promise<Body> => (await page.router.fetch(post(path, base))).json();
    const seen = await asked<LensResponse>('/lens');
    const predicted = await asked<PredictResponse>('/predict');
    const layers = seen.positions[0]?.layers ?? [];
    console.table(layers.map(({ layer, tokens, target }) => ({ layer, top: tokens[0]?.token, rank: target?.rank })));
    expect(layers.map(({ layer }) => layer)).toEqual([0, 1, 2, 3, 4, 5]);
    const own = predicted.target?.tokens[0];
    const last = layers.at(-1);
    expect(last?.tokens.map(({ token }) => token)).toEqual(own?.alternatives.slice(0, 3).map(({ token }) => token));
    expect(last?.target?.log_probability).toBeCloseTo(own?.log_probability ?? NaN, 4);
    expect(last?.target?.rank).toBe(1);
    expect(layers[0]?.target?.rank).toBeGreaterThan(10);
  });
});
