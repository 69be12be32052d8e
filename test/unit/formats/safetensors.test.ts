import { describe, expect, it } from 'vitest';
import { namedTensors } from '../../../src/formats/safetensors.ts';
import { refuse } from '../../../workers/engine/network.ts';
import { safetensors } from '../../support/files/safetensors.ts';

const FILE = safetensors({
  'linear.weight': { shape: [2, 3], values: [1, 2, 3, 4, 5, 6.5] },
  'linear.bias': { shape: [2], values: [-1, 0.25] },
});

describe('namedTensors', () => {
  it('reads tensors by their names', () => {
    const tensors = namedTensors(FILE, 'model.safetensors', refuse);
    expect(tensors.get('linear.weight')).toEqual({ dimensions: [2, 3], values: Float32Array.of(1, 2, 3, 4, 5, 6.5) });
    expect(tensors.get('linear.bias')?.values).toEqual(Float32Array.of(-1, 0.25));
  });

  it.each([
    ['F16', [0x00, 0x3c, 0x00, 0xc0]],
    ['BF16', [0x80, 0x3f, 0x00, 0xc0]],
  ])('widens %s', (dtype, numbers) => {
    const header = new TextEncoder().encode(JSON.stringify({ w: { dtype, shape: [2], data_offsets: [0, 4] } }));
    const file = Uint8Array.from([header.length, 0, 0, 0, 0, 0, 0, 0, ...header, ...numbers]);
    expect([...(namedTensors(file, 'm', refuse).get('w')?.values ?? [])]).toEqual([1, -2]);
  });

  it.each([
    ['an empty file', new Uint8Array(0), /it has 0 bytes/],
    ['a file cut inside its header', FILE.subarray(0, 20), /its header ends after the file/],
    ['a file cut inside its numbers', FILE.subarray(0, -3), /"linear.bias" ends after the file's end/],
    ['a header that is not JSON', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 65, 66), /its header is not a JSON object/],
  ])('refuses %s and names the file', (_, file, reason) => {
    expect(() => namedTensors(file, '2_Dense/model.safetensors', refuse)).toThrow(reason);
    expect(() => namedTensors(file, '2_Dense/model.safetensors', refuse)).toThrow(
      /^2_Dense\/model.safetensors is not a safeten/,
    );
  });
});
