import { describe, expect, it } from 'vitest';
import { LFM2, T5 } from '../../support/hub/exported-configs.ts';
import { encoderOfTable } from '../../support/onnx/encoders/table-encoder.ts';
import { fileBytes, place, testRuntime } from '../../support/onnx/place.ts';
import { measured, someIds } from '../measured.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { openExported, type ExportedOptions } from '../../../workers/engine/exported/open-exported.ts';
import { DECODER_TYPES, ENCODER_DECODER_TYPES } from '../../../workers/engine/loading/model-types.ts';
import { magnitudeOf } from '../../../workers/kernels/float-arrays.ts';
import { growingSequence } from '../../../workers/operations/complete/continuation.ts';

const table = measured('As exported, through transformers.js, against the file itself');
const REASON = 'the network carries convolution or recurrent state';
const bytesOf = (name: string) => fileBytes(`${place.data}/graphs/${name}/model.onnx`);

async function open(given: Pick<ExportedOptions, 'config' | 'graphs'> & Partial<ExportedOptions>): Promise<Network> {
  await testRuntime(); // says where ONNX Runtime's WebAssembly lies
  return openExported({
    dtype: 'fp32',
    generation: {},
    suffix: [],
    contextTokens: 64,
    headSize: 16,
    keptBecause: REASON,
    threads: 1,
    ...(place.backend === 'webgpu' && { backend: 'webgpu' }),
    ...given,
  });
}

/** Logits behind a beginning, and behind each id that follows. */
async function written(network: Network, ids: Int32Array, from: number): Promise<Float32Array[]> {
  const sequence = growingSequence(network, {
    ids: [...ids.subarray(0, from)],
    embeddingOverrides: [],
    factors: undefined,
    mode: 'additive',
  });
  const rows = [await sequence.next()];
  for (const id of ids.subarray(from)) {
    sequence.push(id);
    rows.push(await sequence.next());
  }
  sequence.release();
  return rows;
}

/** One pass through files as they are. */
async function originalRun(
  file: Uint8Array,
  feeds: Readonly<Record<string, readonly [string, ArrayLike<unknown>, number[]]>>,
) {
  const { ort } = await testRuntime();
  const session = await ort.InferenceSession.create(file, { executionProviders: ['wasm'], logSeverityLevel: 4 });
  const tensors = Object.entries(feeds).map(([name, [type, values, axes]]) => [
    name,
    new ort.Tensor(type as 'float32', values as Float32Array, axes),
  ]);
  const found = await session.run(Object.fromEntries(tensors), ['logits']);
  const values = Float32Array.from((await found['logits']?.getData()) as Float32Array);
  await session.release();
  return values;
}

/** How many of 12 ids are read at once; the others follow one by one. Software WebGPU takes seconds for each. */
const READ_AT_ONCE = place.samples ? 10 : 7;

const whole = (values: ArrayLike<number>) => BigInt64Array.from(Array.from(values, BigInt));

if (place.data === null) console.log('Skipped, as exported: no folder ../shared/data (or LIGHTWELL_DATA)');

// The reason is printed above.
describe.skipIf(place.data === null)('a network that cannot be rewritten', () => {
  it('with convolution state writes what its file computes, a token at a time', async () => {
    const file = await bytesOf('gb-lfm2-cpu-fp32');
    const network = await open({
      config: LFM2,
      graphs: [{ name: 'model', path: 'onnx/model.onnx', model: file, external: [] }],
    });
    const ids = someIds(12, 160);
    const past = { key: new Float32Array(0), conv: new Float32Array(64 * 3) };
    const expected = await originalRun(file, {
      input_ids: ['int64', whole(ids), [1, 12]],
      attention_mask: ['int64', whole(new Int32Array(12).fill(1)), [1, 12]],
      'past_key_values.1.key': ['float32', past.key, [1, 2, 0, 16]],
      'past_key_values.1.value': ['float32', past.key, [1, 2, 0, 16]],
      'past_conv.0': ['float32', past.conv, [1, 64, 3]],
      'past_conv.2': ['float32', past.conv, [1, 64, 3]],
    });
    const rows = await written(network, ids, READ_AT_ONCE);
    expect(network.shape).toMatchObject({ vocabulary: 160, sharesKvCache: true, keptBecause: REASON });
    expect(network.backend.reason).toContain('transformers.js 4.3.1');
    const limit = 1e-4 * (1 + magnitudeOf(expected));
    const rowAt = (all: Float32Array, at: number) => all.subarray(at * 160, (at + 1) * 160);
    rows.forEach((row, i) => table.within('LFM2', row, rowAt(expected, READ_AT_ONCE - 1 + i), limit));
    await network.release();
  });

  it('with an encoder writes what its files compute, a token at a time', async () => {
    const [decoder, encoder] = [await bytesOf('opt-t5-decoder_model_merged'), encoderOfTable(128, 64)];
    const network = await open({
      config: T5,
      suffix: [1],
      graphs: [
        { name: 'decoder_model_merged', path: 'onnx/decoder_model_merged.onnx', model: decoder, external: [] },
        { name: 'encoder_model', path: 'onnx/encoder_model.onnx', model: encoder.file, external: [] },
      ],
    });
    const read = someIds(6, 128);
    const follows = someIds(5, 128).subarray(1);
    const decoded = [0, ...follows];
    const states = encoder.statesOf([...read, 1]);
    const past = Object.fromEntries(
      [0, 1, 2].flatMap((layer) =>
        ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => [
          `past_key_values.${layer}.${part}`,
          ['float32', new Float32Array(0), [1, 4, 0, 16]] as const,
        ]),
      ),
    ) as Record<string, readonly [string, Float32Array, number[]]>;
    const expected = await originalRun(decoder, {
      ...past,
      encoder_attention_mask: ['int64', whole(new Int32Array(7).fill(1)), [1, 7]],
      input_ids: ['int64', whole(decoded), [1, 5]],
      encoder_hidden_states: ['float32', states, [1, 7, 64]],
      use_cache_branch: ['bool', Uint8Array.of(0), [1]],
    });
    const rows = await written(network, Int32Array.from([...read, ...follows]), 6);
    const limit = 1e-4 * (1 + magnitudeOf(expected));
    rows.forEach((row, i) => table.within('T5', row, expected.subarray(i * 128, (i + 1) * 128), limit));
    await network.release();
  });

  // No backend changes this; WebAssembly shows it.
  it.skipIf(place.samples)('is of a kind that the library knows', async () => {
    const { AutoModelForCausalLM, AutoModelForSeq2SeqLM } = await import('@huggingface/transformers');
    for (const kind of DECODER_TYPES) expect(AutoModelForCausalLM.supports(kind), kind).toBe(true);
    for (const kind of ENCODER_DECODER_TYPES) expect(AutoModelForSeq2SeqLM.supports(kind), kind).toBe(true);
    expect(AutoModelForCausalLM.supports('nobody')).toBe(false);
  });

  // No backend changes this, and software WebGPU would compile its shaders once more; WebAssembly shows it.
  it.skipIf(place.samples)('refuses controls, states and ratings, with the reason', async () => {
    const file = await bytesOf('gb-lfm2-cpu-fp32');
    const network = await open({
      config: LFM2,
      graphs: [{ name: 'model', path: 'onnx/model.onnx', model: file, external: [] }],
    });
    const ids = someIds(4, 160);
    const failure = { code: 'MISSING_CAPABILITY', message: expect.stringContaining(REASON) };
    const perturbation = { mode: 'additive', factors: new Float64Array([1, 0, 1, 1]) } as const;
    const pooling = { weights: new Float32Array(4), pools: 1 };
    for (const asked of [{ perturbation }, { pooling }, { targets: Int32Array.of(3) }])
      await expect(network.run({ batch: 1, ids, ...asked })).rejects.toMatchObject({ failure });
    await expect(network.embeddings(ids)).rejects.toMatchObject({ failure });
    await network.release();
  });

  // As above.
  it.skipIf(place.samples)(
    'says so where the library does not know it, and leaves nothing behind that another load would find',
    async () => {
      const file = await bytesOf('gb-lfm2-cpu-fp32');
      const graphs = [{ name: 'model', path: 'onnx/model.onnx', model: file, external: [] }];
      const failure = { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('transformers.js cannot open it') };
      await expect(open({ config: { model_type: 'nobody' }, graphs })).rejects.toMatchObject({ failure });
      await expect(open({ config: LFM2, graphs: [] })).rejects.toMatchObject({ failure });
    },
  );

  it('is opened behind a pair of which one part is damaged, and behind a step that failed', async () => {
    const [decoder, encoder] = [await bytesOf('opt-t5-decoder_model_merged'), encoderOfTable(128, 64)];
    const part = (name: string, model: Uint8Array) => ({ name, path: `onnx/${name}.onnx`, model, external: [] });
    const pair = (read: Uint8Array) => ({
      config: T5,
      suffix: [1],
      graphs: [part('decoder_model_merged', decoder), part('encoder_model', read)],
    });
    const { ort } = await testRuntime();
    const sessions: string[] = [];
    const { create } = ort.InferenceSession;
    const noted: typeof create = async (...given) => {
      const session = await create.apply(ort.InferenceSession, given);
      const release = session.release.bind(session);
      sessions.push('opened');
      return Object.assign(session, { release: async () => void (sessions.push('released'), await release()) });
    };
    Object.assign(ort.InferenceSession, { create: noted });
    try {
      const failure = { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('transformers.js cannot open it') };
      await expect(open(pair(encoder.file.subarray(0, 40)))).rejects.toMatchObject({ failure });
      expect(sessions).toEqual(['opened', 'released']);
      const network = await open(pair(encoder.file));
      // A GPU reads beside a table without a word.
      if (place.backend === 'wasm')
        await expect(network.run({ batch: 1, ids: Int32Array.of(9999), logits: true })).rejects.toThrow(/9999|indices/);
      const answer = await network.run({ batch: 1, ids: someIds(6, 128), logits: true });
      expect(answer.logits).toHaveLength(128);
      await network.release();
      expect(sessions.filter((each) => each === 'released')).toHaveLength(3);
    } finally {
      Object.assign(ort.InferenceSession, { create });
    }
  });
});
