import { describe, expect, it } from 'vitest';
import type { Model } from '../../../../../src/models/model.ts';
import { decodeModel, encodeSkeleton } from '../../../../../workers/engine/codec/model-proto.ts';
import { fetchGraph, loadFiles } from '../../../../../workers/engine/loading/model-files.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';
import { heldModel } from '../../../../support/fakes/jobs.ts';
import { visionFolder } from '../../../../support/files/vision-folder.ts';

const PATH = 'onnx/model.onnx';
const whole = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 1));

/** The graph of a folder whose weights lie at `location`. */
const fetching = (location: string, files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>) => {
  const asked: string[] = [];
  const all: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    [PATH]: encodeSkeleton(decodeModel(whole), location),
    ...files,
  };
  const graph = fetchGraph(PATH, async (path) => {
    asked.push(path);
    return all[path] ?? new Uint8Array(0);
  });
  return { graph, asked };
};

describe('fetchGraph', () => {
  it('fetches a data file once, from the folder of the graph', async () => {
    const { graph, asked } = fetching('parts/model.onnx_data', { 'onnx/parts/model.onnx_data': whole });
    expect((await graph).external).toEqual([{ path: 'parts/model.onnx_data', data: whole }]);
    expect(asked).toEqual([PATH, 'onnx/parts/model.onnx_data']);
  });

  it.each([
    '../secrets',
    'a/../../b',
    '/etc/passwd',
    'https://example.com/w',
    '..',
    '.',
    '',
    'a//b',
    String.raw`..\w`,
    'model.onnx?x',
    'model.onnx#x',
    '%2e%2e/w',
  ])('asks for nothing at %j', async (location) => {
    const { graph, asked } = fetching(location, {});
    await expect(graph).rejects.toMatchObject({
      failure: { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('expected data in the same folder') },
    });
    expect(asked).toEqual([PATH]);
  });

  it('refuses data that is cut short', async () => {
    const { graph } = fetching('w', { 'onnx/w': whole.slice(0, 5000) });
    await expect(graph).rejects.toThrow(
      /^onnx\/w is cut short: tensor ".+" ends at byte \d+, the file has 5000 bytes$/,
    );
  });

  it('refuses a graph that is cut short', async () => {
    const cut = fetching('w', { [PATH]: whole.slice(0, 3000) });
    await expect(cut.graph).rejects.toThrow(/^onnx\/model.onnx is cut short or damaged \(3000 bytes\): /);
  });
});

describe('loadFiles', () => {
  const loaded = (capabilities: Model['capabilities'], ...missing: readonly string[]) => {
    const files = [...visionFolder()].filter(([path]) => !missing.includes(path));
    const held = Object.fromEntries(files.map(([path, bytes]) => [path, new Blob([bytes.slice()])]));
    return loadFiles({ ...heldModel(held), capabilities }, () => undefined);
  };

  it('loads what a model for images has', async () => {
    const { vision, files } = await loaded(['explain', 'images']);
    expect(vision).toBeDefined();
    expect(files.embedTokens).toBeDefined();
  });

  it('asks for no files of images where the model does not read them', async () => {
    const missing = ['preprocessor_config.json', 'onnx/vision_encoder.onnx', 'onnx/embed_tokens.onnx'];
    const { vision, files } = await loaded(['explain'], ...missing);
    expect(vision).toBeUndefined();
    expect(files.embedTokens).toBeUndefined();
  });
});
