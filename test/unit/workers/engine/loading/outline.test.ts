import { describe, expect, it } from 'vitest';
import { bytesOf, createMessage } from '../../../../../workers/engine/codec/protobuf.ts';
import { decodeModel } from '../../../../../workers/engine/codec/model-proto.ts';
import { ElementType } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { outlineOf, STORED_VALUES, VALUES } from '../../../../../workers/engine/loading/outline.ts';

/** A graph with one large tensor of 16-bit floats, whose values are in `int32_data`, as some exporters write them. */
const tensor = createMessage().integer(1, 20_000).integer(2, ElementType.float16).text(8, 'weight');
const graph = createMessage().message(5, tensor.bytes(5, new Uint8Array(20_000)));
const whole = bytesOf(createMessage().message(7, graph).message(8, createMessage().integer(2, 21)));

async function outlined(values: ReadonlySet<number>) {
  let bytesRead = 0;
  const read = async (start: number, end: number) => {
    bytesRead += end - start;
    return whole.slice(start, end);
  };
  const outline = await outlineOf({ bytes: whole.length, read }, { location: 'file', values });
  return { weight: decodeModel(outline).initialisers.get('weight'), bytesRead };
}

describe('outlineOf', () => {
  it('reads no values, in whatever field they are', async () => {
    const { weight, bytesRead } = await outlined(VALUES);
    expect(weight?.external?.location).toBe('file');
    expect(bytesRead).toBeLessThan(1000);
  });

  it('keeps values that external data cannot have, for a graph that is to be run', async () => {
    const { weight } = await outlined(STORED_VALUES);
    expect(weight?.external).toBeUndefined();
    expect(weight?.bytes.length).toBeGreaterThan(20_000);
  });
});
