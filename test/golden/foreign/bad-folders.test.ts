import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { testRuntime } from '../../support/onnx/place.ts';
import { someIds } from '../measured.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { Model } from '../../../src/models/model.ts';
import { createEngine, type LoadedModel } from '../../../workers/engine/engine.ts';
import { loadWith, type LoadRuntime } from '../../../workers/engine/loading/load-model.ts';

/** Folders that `brokenFolders` makes, and what must be said of each: the file, the field, what was expected. */
const BROKEN: readonly (readonly [string, RegExp])[] = [
  ['tokenizer-empty', /tokenizer\.json: model: expected an object, got nothing$/],
  ['tokenizer-list', /tokenizer\.json: expected a JSON object, got \[\]$/],
  ['tokenizer-without-vocabulary', /tokenizer\.json: model\.vocab: expected a vocabulary, got nothing$/],
  ['tokenizer-unknown', /^tokenizer\.json: model\.type: expected BPE, .* got "Runes"$/],
  ['tokenizer-of-another', /^tokenizer\.json: its ids go up to \d{4}, and the network's table .* has 1000 rows/],
  ['context-0', /^config\.json: max_position_embeddings: expected a whole number ≥ 1, got 0$/],
  ['context-negative', /^config\.json: max_position_embeddings: expected a whole number ≥ 1, got -5$/],
  ['config-list', /config\.json: expected a JSON object, got \[\]$/],
  ['layers-of-another', /^config\.json speaks of 12 layers, the graph has 2 attentions$/],
  ['config-missing', /config\.json answered 404: there is no such file$/],
  ['graph-missing', /onnx\/model\.onnx answered 404: there is no such file$/],
  ['graph-pointer', /onnx\/model\.onnx is not the model's file: got a Git LFS pointer .*\(git lfs pull\)$/],
  ['tokenizer-pointer', /tokenizer\.json is not the model's file: got a Git LFS pointer .*\(git lfs pull\)$/],
  ['graph-cut', /^onnx\/model\.onnx is cut short or damaged \(1000 bytes\): /],
  ['graph-empty', /^onnx\/model\.onnx is cut short or damaged \(0 bytes\): /],
  ['graph-of-pictures', /^onnx\/model\.onnx: the network takes pictures or sound \(input "pixel_values"\)$/],
  ['graph-too-new', /^onnx\/model\.onnx: ONNX operator set 99 is too new, expected 11 to \d+$/],
  ['graph-too-old', /^onnx\/model\.onnx: ONNX operator set 7 is too old, expected 11 to \d+$/],
  [
    'data-outside',
    /^onnx\/model\.onnx: tensor ".+": expected data in the same folder, got "\.\.\/\.\.\/secrets\.bin"$/,
  ],
  ['data-elsewhere', /^onnx\/model\.onnx: tensor ".+": expected data in the same folder, got "https:/],
  ['data-cut', /^onnx\/model\.onnx_data is cut short: tensor ".+" ends at byte \d+, the file has \d+ bytes$/],
  ['data-missing', /onnx\/gone\.onnx_data answered 404: there is no such file$/],
];

const modelOf = (name: string): Model => ({
  name,
  version: 'test',
  description: '',
  folder: `${inject('hub')}/made/${name}/resolve/main/`,
  dtype: 'fp32',
  contextTokens: 256,
  capabilities: ['explain'],
});

/** ONNX Runtime that counts the sessions that are open. */
function counting(runtime: LoadRuntime, open: Set<object>): LoadRuntime {
  const { InferenceSession } = runtime.ort;
  const create = async (...parameters: Parameters<typeof InferenceSession.create>) => {
    const session = await InferenceSession.create(...parameters);
    open.add(session);
    const release = session.release.bind(session);
    session.release = async () => {
      open.delete(session);
      return release();
    };
    return session;
  };
  return { ...runtime, ort: { ...runtime.ort, InferenceSession: { create } as typeof InferenceSession } };
}

describe('folders as people have them', () => {
  const open = new Set<object>();
  let load: (name: string) => Promise<LoadedModel>;
  let before: LoadedModel;
  const logits = async () =>
    (await before.network.run({ batch: 1, ids: someIds(8, 1000), logits: true })).logits ?? new Float32Array(0);
  let expected: Float32Array;
  beforeAll(async () => {
    const runtime = counting(await testRuntime(), open);
    const engine = createEngine((wanted, onProgress) => loadWith(runtime, wanted, onProgress));
    load = (name) =>
      engine.withModel(
        { model: modelOf(name), backend: 'wasm' },
        () => undefined,
        async (model) => model,
      );
    before = await load('good');
    expected = await logits();
  });
  afterAll(() => before.network.release());

  it('reads weights from a file beside the graph', async () => {
    const model = await load('external-data');
    const { logits: found } = await model.network.run({ batch: 1, ids: someIds(8, 1000), logits: true });
    expect(found).toEqual(expected);
    await model.network.release();
  });

  it.each(BROKEN)('%s is refused with file and field, and the model before still answers', async (name, reason) => {
    const sessions = open.size;
    const failure = await load(name).catch((error: unknown) => error);
    if (!(failure instanceof FailureError))
      throw new Error(`${name}: expected a typed failure, got ${String(failure)}`);
    expect(failure.failure.code).toBe('MODEL_UNAVAILABLE');
    expect(failure.message).toMatch(reason);
    expect(open.size).toBe(sessions);
    expect(await logits()).toEqual(expected);
  });
});
