import { constantNumbers } from '../../analysis/constants.ts';
import { ancestors, sortNodes } from '../../analysis/graph-traversal.ts';
import type { KvCacheTensor } from '../../analysis/kv-cache.ts';
import type { GraphNode } from '../../codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type Model } from '../../codec/model-proto.ts';
import { integersAttribute } from '../../codec/node-attributes.ts';
import { createGraphBuilder, type GraphBuilder } from '../../rewrite/graph-builder.ts';
import { ORIGINAL_FILE } from '../../tensor-names.ts';

/**
 * The file's graph for steps of one token of one text, with the same inputs and outputs. Query heads that share a key head are laid
 * one below the other. Exporters repeat all keys and values for them instead, which copies each of them several times in every step.
 *
 * What is found depends on the exporter, so a step must agree with another way to the same numbers.
 *
 * @param file  the original `.onnx` file; weights are not copied
 * @returns an ONNX file that refers to the original one for its weights; undefined where nothing is repeated
 */
export function stepGraph(file: Uint8Array, kvCache: readonly KvCacheTensor[]): Uint8Array<ArrayBuffer> | undefined {
  const model = decodeModel(file);
  const makers: Makers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const found = model.nodes.flatMap((product) => repeatedFor(product, { model, makers, kvCache }) ?? []);
  if (found.length === 0) return undefined;
  const builder = createGraphBuilder(model);
  for (const repeated of found) layBelow(builder, repeated);
  const replaced = new Set(found.map(({ product }) => product));
  const kept = model.nodes.filter((node) => !replaced.has(node));
  const names = model.outputs.map(({ name }) => name);
  model.nodes = [...ancestors(kept, names)];
  sortNodes(model);
  return encodeSkeleton(model, ORIGINAL_FILE);
}

/** The node that makes a tensor, by the tensor. */
type Makers = ReadonlyMap<string, GraphNode>;

/** A product of query heads with keys or values that are repeated for them. */
interface Repeated {
  readonly product: GraphNode;
  /** Keys or values as they are kept, `[1, keyHeads, total, headSize]`. */
  readonly kept: string;
  readonly keyHeads: number;
  /** The product is with keys, whose last two axes change places before it. */
  readonly isTurned: boolean;
}

interface Place {
  readonly model: Model;
  readonly makers: Makers;
  readonly kvCache: readonly KvCacheTensor[];
}

const TURN = [0, 1, 3, 2];

function repeatedFor(product: GraphNode, { model, makers, kvCache }: Place): Repeated | undefined {
  if (product.operator !== 'MatMul') return undefined;
  const maker = (tensor = '', operator = '') => {
    const node = makers.get(tensor);
    return node?.operator === operator ? node : undefined;
  };
  const turned = maker(product.inputs[1], 'Transpose');
  if (turned && integersAttribute(turned, 'perm')?.join() !== TURN.join()) return undefined;
  const joined = maker((turned ?? product).inputs[turned ? 0 : 1], 'Reshape');
  const expanded = maker(joined?.inputs[0], 'Expand');
  const raised = maker(expanded?.inputs[0], 'Unsqueeze');
  const axes = raised && (integersAttribute(raised, 'axes') ?? constantNumbers(model, raised.inputs[1] ?? ''));
  const cached = kvCache.find(({ output, isStacked }) => output === raised?.inputs[0] && !isStacked);
  if (axes?.join() !== '2' || cached === undefined) return undefined;
  return { product, kept: cached.output, keyHeads: cached.heads, isTurned: turned !== undefined };
}

/** In a shape, 0 leaves an axis as long as it is, and −1 is as long as what is left. */
function layBelow(builder: GraphBuilder, { product, kept, keyHeads, isTurned }: Repeated): void {
  const [rows = ''] = product.inputs; // [1, heads, 1, headSize or total]
  const grouped = builder.reshape(rows, builder.integers(1, keyHeads, -1, 0));
  const perm = { integers: TURN };
  const other = isTurned ? builder.node('Transpose', [kept], { attributes: { perm } }) : kept;
  builder.reshape(builder.node('MatMul', [grouped, other]), builder.integers(1, -1, 1, 0), product.outputs[0]);
}
