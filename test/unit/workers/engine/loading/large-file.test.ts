import { describe, expect, it } from 'vitest';
import { decodeModel } from '../../../../../workers/engine/codec/model-proto.ts';
import { fetchLargeGraph } from '../../../../../workers/engine/loading/large-file.ts';
import { wholeOf } from '../../../../../workers/engine/session/tensor-data.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';

const PATH = 'onnx/model.onnx';
const whole = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 1));

/** A graph of which all is large, read from a page's file of `bytes`. */
async function opened(bytes = whole.length, held = new Blob([whole])) {
  let reads = 0;
  const options = { onBytes: (done: number) => void (reads += Number(done === bytes)), held };
  const graph = await fetchLargeGraph(PATH, { folder: 'm/', files: { [PATH]: { bytes } } }, () => options, 2 ** 13);
  const [{ data } = { data: new Uint8Array(0) }] = graph.external;
  if (!('openWith' in data)) throw new TypeError('expected weights that are read in pieces');
  return { ...graph, data, reads: () => reads };
}

/** The weights that a graph refers to, in any order. */
const tensorsOf = (model: Uint8Array) =>
  [...decodeModel(model).initialisers.values()].flatMap(({ name, external }) => {
    const { offset = 0, byteCount = 0 } = external ?? {};
    return external ? [{ name, start: offset, end: offset + byteCount }] : [];
  });

describe('fetchLargeGraph', () => {
  it('leaves the weights out of the graph, and gives each as it is in the file', async () => {
    const { model, data } = await opened();
    const tensors = tensorsOf(model).toReversed();
    expect(tensors.length).toBeGreaterThan(5);
    expect(model.length).toBeLessThan(whole.length / 2);
    expect(data.byteLength).toBe(whole.length);
    for (const { start, end } of tensors) expect(data.subarray(start, end)).toEqual(whole.subarray(start, end));
  });

  it('frees a tensor once the session has copied it, and reads the file again for another session', async () => {
    const { model, data, reads } = await opened();
    const [first, second] = tensorsOf(model);
    if (!first || !second) throw new RangeError('expected two tensors');
    const open = () =>
      data.openWith(async () => {
        expect(data.subarray(first.start, first.end)).toEqual(whole.subarray(first.start, first.end));
        data.subarray(second.start, second.end);
        expect(() => data.subarray(first.start, first.end)).toThrow('not in memory');
      });
    await open();
    expect(reads()).toBe(1);
    await open();
    expect(reads()).toBe(2);
  });

  it('gives all tensors at once to a runtime that takes whole files', async () => {
    const { model, data } = await opened();
    const found = await data.openWith(async () => wholeOf(data));
    expect(found.byteLength).toBe(whole.length);
    for (const { start, end } of tensorsOf(model))
      expect(found.subarray(start, end)).toEqual(whole.subarray(start, end));
    expect(wholeOf(whole), 'as it is in memory').toBe(whole);
  });

  it('keeps all tensors where a session takes one twice', async () => {
    const { model, data } = await opened();
    const [first, second] = tensorsOf(model);
    let attempts = 0;
    const sum = await data.openWith(async () => {
      attempts++;
      for (const { start, end } of [first, second, first].flatMap((each) => each ?? [])) data.subarray(start, end);
      return 'opened';
    });
    expect({ sum, attempts }).toEqual({ sum: 'opened', attempts: 2 });
  });

  it.each([
    [whole.length + 1, `expected ${whole.length + 1} bytes, got ${whole.length}`],
    [whole.length - 1, `expected ${whole.length - 1} bytes, got ${whole.length}`],
  ])('refuses a file of another size than %d bytes', async (bytes, message) => {
    await expect(opened(bytes)).rejects.toThrow(message);
  });
});
