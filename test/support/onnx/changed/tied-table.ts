import { makeNode } from '../../../../workers/engine/codec/graph-node.ts';
import type { OnnxModel } from '../../../../workers/engine/codec/model-proto.ts';

/** Lets a decoder of `buildDecoder` predict with its table of word embeddings, transposed, as exporters write tied embeddings. */
export function tieTable(model: OnnxModel): void {
  model.initialisers.delete('head');
  model.nodes = [
    makeNode('Transpose', ['embedding'], ['transposed']),
    ...model.nodes.map((node) =>
      node.inputs.includes('head')
        ? { ...node, inputs: node.inputs.map((name) => (name === 'head' ? 'transposed' : name)) }
        : node,
    ),
  ];
}
