import { decodeModel, encodeSkeleton, makeValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { encodeNode, makeNode } from '../../../workers/engine/codec/graph-node.ts';
import { createMessage } from '../../../workers/engine/codec/protobuf.ts';
import { ElementType, makeTensor } from '../../../workers/engine/codec/tensor-proto.ts';

/** Turns of a loop that nobody waits for. */
const TURNS = 2 ** 52;

/**
 * A decoder whose logits are scaled by a number that a `Loop` keeps for `TURNS` turns: valid ONNX that never ends.
 *
 * @param decoder   a file of `buildDecoder` with its weights in another file
 * @param location  the name of that file
 */
export function endlessGraph(decoder: Uint8Array, location: string): Uint8Array<ArrayBuffer> {
  const model = decodeModel(decoder);
  const scalar = (name: string, type: number, value: number) =>
    model.initialisers.set(name, makeTensor(name, type, [], [value]));
  scalar('turns', ElementType.int64, TURNS);
  scalar('one', ElementType.float32, 1);
  const node = model.nodes.find(({ outputs }) => outputs.includes('logits'));
  if (!node) throw new Error('expected a graph with logits');
  model.nodes[model.nodes.indexOf(node)] = { ...node, name: 'unscaled', outputs: ['unscaled'] };
  model.nodes.push(
    makeNode('Loop', ['turns', '', 'one'], ['kept'], { body: { body: loopBody() } }),
    makeNode('Mul', ['unscaled', 'kept'], ['logits']),
  );
  return encodeSkeleton(model, location);
}

/** Passes a condition and a number on. @source ONNX operators, `Loop` */
function loopBody() {
  const body = createMessage();
  body.message(1, encodeNode(makeNode('Identity', ['going'], ['goes on'])));
  body.message(1, encodeNode(makeNode('Identity', ['before'], ['after'])));
  body.text(2, 'body');
  const declared = [
    [11, 'turn', ElementType.int64],
    [11, 'going', ElementType.bool],
    [11, 'before', ElementType.float32],
    [12, 'goes on', ElementType.bool],
    [12, 'after', ElementType.float32],
  ] as const;
  for (const [field, name, type] of declared) body.bytes(field, makeValueInfo(name, type, []).bytes);
  return body;
}
