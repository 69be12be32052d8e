import { describe, expect, it } from 'vitest';
import { angleNodes } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { inferTypes } from '../../../../../workers/engine/analysis/graph-traversal.ts';
import { ElementType } from '../../../../../workers/engine/codec/tensor-proto.ts';
import { makeValueInfo } from '../../../../../workers/engine/codec/model-proto.ts';
import { createGraph, type Graph } from '../../../../support/onnx/graph.ts';

const { int64, float32, float16 } = ElementType;

/** Operators of the nodes found in a graph with these inputs. */
function found(build: (graph: Graph) => void, inputs: Readonly<Record<string, number>> = { position_ids: int64 }) {
  const graph = createGraph();
  for (const [name, type] of Object.entries(inputs)) graph.model.inputs.push(makeValueInfo(name, type, ['n']));
  build(graph);
  const nodes = angleNodes(graph.model, inferTypes(graph.model));
  return [...nodes].map(({ operator }) => operator).toSorted();
}

const cast = (graph: Graph, tensor: string, to: number = float32) => graph.with({ to: to }, 'Cast', tensor);
const frequencies = (graph: Graph, count = 16) => graph.weight('frequencies', [count], new Float32Array(count));

describe('angleNodes', () => {
  it('are all between positions and their sines, and nothing behind', () => {
    const operators = found((graph) => {
      const angles = graph.node('Mul', cast(graph, 'position_ids'), frequencies(graph));
      graph.node('Mul', graph.node('Cos', angles), graph.float(2));
      graph.node('Sin', angles);
    });
    expect(operators).toEqual(['Cast', 'Cos', 'Mul', 'Sin']);
  });

  it('begin behind lengths, so that no tensor is copied for its shape', () => {
    const operators = found(
      (graph) => {
        const length = graph.node('Gather', graph.node('Shape', 'keys'), graph.integer(2));
        const positions = graph.node('Range', graph.integer(0), length, graph.integer(1));
        graph.node('Cos', graph.node('Mul', cast(graph, positions), frequencies(graph)));
      },
      { keys: float32 },
    );
    expect(operators).toEqual(['Cast', 'Cos', 'Gather', 'Mul', 'Range']);
  });

  it.each<readonly [string, Readonly<Record<string, number>>, (graph: Graph) => void]>([
    ['of fed states', { states: float32 }, (graph) => void graph.node('Sin', 'states')],
    [
      'of words that are looked up',
      { input_ids: int64 },
      (graph) =>
        void graph.node(
          'Sin',
          graph.node('Gather', graph.weight('words', [97, 64], new Float32Array(6208)), 'input_ids'),
        ),
    ],
    [
      'in 16 bits, which the processor may not compute',
      { position_ids: int64 },
      (graph) => void graph.node('Sin', cast(graph, 'position_ids', float16)),
    ],
    ['of a table', { position_ids: int64 }, (graph) => void graph.node('Gather', frequencies(graph), 'position_ids')],
  ])('are none %s', (_, inputs, build) => {
    expect(found(build, inputs)).toEqual([]);
  });
});
