import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { inspect } from '../../../../../workers/engine/loading/inspect-folder.ts';
import { rangeOf } from '../../../../../server/model-files.ts';
import { brokenFolders, type FolderBytes } from '../../../../support/files/broken-folders.ts';
import { buildEncoder } from '../../../../support/onnx/encoder.ts';
import { halved } from '../../../../support/onnx/changed/halved.ts';
import { packedProducts } from '../../../../support/onnx/changed/packed-products.ts';
import { visionFolder } from '../../../../support/files/vision-folder.ts';
import { memoryOf } from '../../../../../src/models/model.ts';
import { statefulDecoder } from '../../../../support/onnx/encoders/stateful-decoder.ts';

let stop = () => undefined as void;
afterEach(() => stop());

const FOLDERS = brokenFolders();
const good = () => new Map(FOLDERS.get('good'));
const GRAPH = good().get('onnx/model.onnx') ?? new Uint8Array(0);
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Looks at a folder over HTTP; tells how many bytes of its graph were sent. */
async function inspected(folder: FolderBytes, sendsParts = true, memory = Infinity) {
  let graphBytes = 0;
  const server = createServer((request, response) => {
    const file = folder.get((request.url ?? '').slice(1));
    if (!file) return void response.writeHead(404).end();
    const range = sendsParts ? rangeOf(request.headers.range, file.length) : 'all';
    const part = typeof range === 'string' ? file : file.subarray(range.start, range.end);
    if (request.url?.endsWith('.onnx')) graphBytes += part.length;
    response.writeHead(typeof range === 'string' ? 200 : 206, { 'Content-Length': part.length }).end(part);
  });
  stop = () => void server.close();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  const files = Object.fromEntries([...folder].map(([path, { length }]) => [path, length]));
  const kinds = await inspect({ name: 'owner/name', folder: url, files }, memory);
  return { found: kinds[0], kinds, graphBytes };
}

describe('inspect', () => {
  it('tells a decoder without fetching its weights', async () => {
    const { found, graphBytes } = await inspected(good());
    expect(found).toEqual({
      tier: 'steered',
      reason: null,
      capabilities: ['embed', 'explain'],
      dtype: 'fp32',
      files: Object.fromEntries([...good()].map(([path, { length }]) => [path, { bytes: length }])),
      weights: { kind: 'fp32', fileBytes: GRAPH.length, computedBytes: GRAPH.length },
      contextTokens: 384,
      kind: '',
    });
    expect(graphBytes).toBeLessThan((good().get('onnx/model.onnx')?.length ?? 0) / 2);
  });

  it('takes the whole from a server that sends no parts', async () => {
    expect((await inspected(good(), false)).found.tier).toBe('steered');
  });

  it('never asks for external data', async () => {
    const folder = new Map(FOLDERS.get('external-data'));
    const { found } = await inspected(folder);
    expect(found.tier).toBe('steered');
    folder.delete('onnx/model.onnx_data');
    expect((await inspected(folder)).found.reason).toBe('onnx/model.onnx_data: the folder has no such file');
  });

  it('tells an embedder, and a reader', async () => {
    const config = json({ num_hidden_layers: 2, model_type: 'bert', max_position_embeddings: 64 });
    const encoder = (head: 'states' | 'answer') =>
      inspected(
        good()
          .set('config.json', config)
          .set('onnx/model.onnx', buildEncoder({ head, norms: 'after' })),
      );
    expect((await encoder('states')).found).toMatchObject({
      tier: 'steered',
      capabilities: ['embed', 'semantic_embed'],
      kind: 'bert',
      contextTokens: 64,
    });
    expect((await encoder('answer')).found).toMatchObject({ tier: 'steered', capabilities: ['qa'] });
  });

  it('tells what runs as it was exported, and why', async () => {
    const hybrid = good()
      .set('config.json', json({ model_type: 'lfm2' }))
      .set('tokenizer_config.json', json({ chat_template: '{{ messages }}' }))
      .set('onnx/model.onnx', statefulDecoder('past_conv.0'));
    expect((await inspected(hybrid)).found).toMatchObject({
      tier: 'as_exported',
      capabilities: ['complete', 'chat'],
      kind: 'lfm2',
      reason: expect.stringContaining('convolution or recurrent state'),
    });
    const encoder = good()
      .set('config.json', json({ num_hidden_layers: 7, model_type: 'bert' }))
      .set('onnx/model.onnx', buildEncoder({ head: 'states', norms: 'after' }));
    expect((await inspected(encoder)).found).toMatchObject({
      tier: 'as_exported',
      capabilities: ['embed', 'semantic_embed'],
      reason: 'config.json speaks of 7 layers, the graph has 2 attentions',
    });
    const pooled = encoder.set('onnx/model.onnx', buildEncoder({ head: 'sentence', norms: 'after' }));
    expect((await inspected(pooled)).found.capabilities).toEqual(['semantic_embed']);
  });

  it('tells that a model reads images where the folder has all that is needed for it', async () => {
    const folder = new Map(visionFolder());
    expect((await inspected(folder)).found.capabilities).toContain('images');
    for (const path of ['preprocessor_config.json', 'onnx/vision_encoder.onnx']) {
      const { found } = await inspected(new Map([...folder].filter(([name]) => name !== path)));
      expect(found).toMatchObject({ tier: 'steered', capabilities: ['embed', 'explain'] });
    }
  });

  it('refuses a file of the page that cannot be read any more', async () => {
    const read = async () => Promise.reject(new DOMException('gone', 'NotReadableError'));
    const held = Object.fromEntries([...good()].map(([path, bytes]) => [path, new Blob([bytes.slice()])]));
    const graph = Object.assign(new Blob([GRAPH.slice()]), { slice: () => ({ arrayBuffer: read }) });
    const files = Object.fromEntries(Object.entries(held).map(([path, { size }]) => [path, size]));
    const job = { name: 'm', folder: 'held:', files, held: { ...held, 'onnx/model.onnx': graph } };
    expect(await inspect(job)).toMatchObject([
      { tier: 'refused', reason: expect.stringContaining('cannot be read any more, it was changed or moved: gone') },
    ]);
  });

  it('wants both graphs of a network that reads with one and writes with the other', async () => {
    const folder = good()
      .set('config.json', json({ model_type: 't5', is_encoder_decoder: true }))
      .set('onnx/decoder_model_merged.onnx', statefulDecoder('encoder_hidden_states'));
    folder.delete('onnx/model.onnx');
    expect((await inspected(folder)).found.reason).toBe('onnx/encoder_model.onnx: the folder has no such file');
    folder.set('onnx/encoder_model.onnx', buildEncoder({ head: 'states', norms: 'after' }));
    expect((await inspected(folder)).found).toMatchObject({ tier: 'as_exported', capabilities: ['complete'] });
  });

  it.each([
    ['a kind that the library does not know', { model_type: 'nobody' }, statefulDecoder('past_conv.0')],
    ['a decoder whose encoder is of another kind', { model_type: 'lfm2' }, statefulDecoder('encoder_hidden_states')],
    ['pictures', { model_type: 'lfm2' }, statefulDecoder('past_conv.0', 'pixel_values')],
  ])('refuses %s as before', async (_, config, graph) => {
    const folder = good().set('config.json', json(config)).set('onnx/model.onnx', graph);
    expect((await inspected(folder)).found).toMatchObject({ tier: 'refused', capabilities: [] });
  });

  it('tells kinds by the graph, the most exact first, each with its own files', async () => {
    const packed = packedProducts(GRAPH);
    const folder = good().set('onnx/model_q4.onnx', packed).set('onnx/model_fp16.onnx', halved(GRAPH));
    folder.set('onnx/model_int8.onnx', GRAPH).set('onnx/model_q4.onnx_data', new Uint8Array(7));
    const { kinds } = await inspected(folder);
    expect(kinds.map(({ dtype, weights }) => [dtype, weights.kind])).toEqual([
      ['fp32', 'fp32'],
      ['fp16', 'fp16'],
      ['q4', 'q4'],
    ]);
    const graphs = kinds.map(({ files = {} }) => Object.keys(files).filter((path) => path.startsWith('onnx/')));
    expect(graphs).toEqual([
      ['onnx/model.onnx'],
      ['onnx/model_fp16.onnx'],
      ['onnx/model_q4.onnx', 'onnx/model_q4.onnx_data'],
    ]);
    const [floats, halves, fours] = kinds.map(({ weights }) => weights);
    expect(halves?.computedBytes).toBeGreaterThan(1.9 * (halves?.fileBytes ?? Infinity));
    expect(fours?.computedBytes).toBeGreaterThan(1.1 * (fours?.fileBytes ?? Infinity));
    expect(Math.abs((halves?.computedBytes ?? 0) / (floats?.computedBytes ?? 1) - 1)).toBeLessThan(0.05);
  });

  it('tells the bits of a graph whose name does not', async () => {
    const { found } = await inspected(good().set('onnx/model.onnx', packedProducts(GRAPH)));
    expect(found).toMatchObject({ dtype: 'fp32', weights: { kind: 'q4' } });
  });

  it('takes by default what fits, else the smallest; what cannot be used comes last', async () => {
    const data = ['onnx/model.onnx_data', new Uint8Array(1e6)] as const;
    const folder = good()
      .set('onnx/model_q4.onnx', packedProducts(GRAPH))
      .set(...data);
    const kindsIn = async (memory: number) =>
      (await inspected(folder, true, memory)).kinds.map(({ weights }) => weights.kind);
    const needed = (await inspected(folder)).kinds.map(({ weights }) => memoryOf(weights.computedBytes));
    expect(await kindsIn(needed[0] ?? 0)).toEqual(['fp32', 'q4']);
    expect(await kindsIn((needed[0] ?? 0) - 1)).toEqual(['q4', 'fp32']);
    expect(await kindsIn(1)).toEqual(['q4', 'fp32']);
    folder.set('onnx/model.onnx', FOLDERS.get('graph-pointer')?.get('onnx/model.onnx') ?? GRAPH);
    const { kinds } = await inspected(folder);
    expect(kinds.map(({ tier, weights }) => `${weights.kind} ${tier}`)).toEqual(['q4 steered', 'fp32 refused']);
  });

  it('tells one reason of a folder with several kinds that cannot be used', async () => {
    const folder = good().set('onnx/model_q4.onnx', packedProducts(GRAPH));
    folder.delete('config.json');
    expect((await inspected(folder)).kinds).toMatchObject([{ reason: 'config.json: the folder has no such file' }]);
  });

  it.each([
    ['graph-missing', /^onnx\/model\.onnx: the folder has no such file$/],
    ['config-missing', /^config\.json: the folder has no such file$/],
    ['graph-pointer', /^onnx\/model\.onnx is not the model's file: got a Git LFS pointer .*\(git lfs pull\)$/],
    ['tokenizer-pointer', /^tokenizer\.json is not the model's file: got a Git LFS pointer .*\(git lfs pull\)$/],
    ['graph-cut', /^onnx\/model\.onnx/],
    ['graph-of-pictures', /^onnx\/model\.onnx: the network takes pictures or sound/],
    ['graph-too-new', /^onnx\/model\.onnx: ONNX operator set 99 is too new/],
    ['data-outside', /^onnx\/model\.onnx: tensor ".+": expected data in the same folder/],
    ['context-negative', /^config\.json: max_position_embeddings: expected a whole number ≥ 1, got -5$/],
    ['layers-of-another', /^config\.json speaks of 12 layers/],
  ])('refuses %s with the file and the reason', async (name, reason) => {
    const { found } = await inspected(FOLDERS.get(name) ?? new Map());
    expect(found).toMatchObject({ tier: 'refused', capabilities: [], reason: expect.stringMatching(reason) });
  });
});
