import { analyse, type Analysis } from '../analysis/analysis.ts';
import type { LanguageHead } from '../analysis/language-head.ts';
import { ancestors, sortNodes } from '../analysis/graph-traversal.ts';
import { headSizeOf } from '../analysis/kv-cache.ts';
import { rowsOfTable, tabledPositions } from '../analysis/weight-shapes.ts';
import { ElementType } from '../codec/element-type.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type Model } from '../codec/model-proto.ts';
import type { NetworkConfig } from '../analysis/network-config.ts';
import { angleNodes } from '../analysis/positions/angles.ts';
import { refuse } from '../refusal.ts';
import {
  ADDED,
  ATTENDED,
  NEEDS_LOGITS,
  NEEDS_STATES,
  WORD_EMBEDDINGS,
  isPrediction,
  ORIGINAL_FILE,
} from '../tensor-names.ts';
import { createDecomposer } from './decompose/decompose-attention.ts';
import { addGivenStates } from './head/given-states.ts';
import { createGraphBuilder, type GraphBuilder } from './graph-builder.ts';
import { rewriteHead } from './head/logits-head.ts';
import { inlineMergedDecoder } from './merged-decoder.ts';
import type { NetworkPlan } from './network-plan.ts';
import { ownLogits } from '../analysis/own-logits.ts';
import { addAttended } from './attended-outputs.ts';
import { addPerturbation, type PerturbedScores } from './perturbation.ts';
import { addPooledOutputs } from './pooled-outputs.ts';
import { branch, nodesOnlyFor } from './results-branch.ts';
import { runLengths, type RunLengths } from './run-lengths.ts';
import { shareIds } from './share-ids.ts';
import { shareKvCache } from './shared-kv-cache.ts';
import { namedEmbeddings, unpackEmbeddings, addWordEmbeddings } from './word-embeddings.ts';

/**
 * Rewrites a network at load time: perturbation inputs in front of every softmax, pooled hidden states, logits of chosen
 * positions only, a KV cache that is shared by the batch. With neutral controls the result computes what the original does.
 *
 * @param file  the original `.onnx` file; weights are not copied
 * @throws {FailureError} MODEL_UNAVAILABLE naming the operator or structure that cannot be rewritten
 */
export function rewriteNetwork(file: Uint8Array, config: NetworkConfig): NetworkPlan {
  const model = decodeModel(file);
  const exported = { inputs: model.inputs, outputs: model.outputs };
  inlineMergedDecoder(model);
  namedEmbeddings(model);
  const analysis = analyse(model);
  const { inputs, sites, hiddenStates, head, roundsTogether: runsAlone } = analysis;
  if (config.layers !== undefined && config.layers !== sites.length)
    refuse(`config.json speaks of ${config.layers} layers, the graph has ${sites.length} attentions`);
  const own = head && ownLogits(exported, analysis);
  const builder = createGraphBuilder(model);
  const run = runLengths(builder, analysis.flow.source);
  const kvCache = analysis.kvCache.map((tensor) => ({ ...tensor, headSize: headSizeOf(tensor, model, config) }));
  const tableRows = rowsOfTable(model);
  const positions = shorter(tabledPositions(model), analysis.counted?.tokens);
  const outputs = keptOutputs(model, analysis);
  unpackEmbeddings(model, builder, analysis.types);
  const perturbed = rewriteAttention(model, builder, analysis, run, config);
  const pasts = shareKvCache(model, builder, kvCache, run);
  addPooledOutputs(builder, hiddenStates, run);
  const hasWordEmbeddings = addWordEmbeddings(builder, analysis.wordEmbeddings);
  const retained = new Set([...kvCache.map(({ output }) => output), WORD_EMBEDDINGS, ATTENDED]);
  const results = () => model.outputs.map(({ name }) => name).filter((name) => !retained.has(name));
  const skippable = kvCache.length > 0 ? nodesOnlyFor(model, results()) : new Set<GraphNode>();
  const sharesIds = shareIds(model, builder, {
    run,
    types: analysis.types,
    pasts,
    results: runsAlone ? new Set() : skippable,
  });
  const readsGivenStates = head !== undefined && !runsAlone && addGivenStates(builder, analysis);
  if (head) rewriteHead(model, builder, analysis, runsAlone ? wholeHead(analysis) : head, run);
  const showsAttention = addAttended(model, builder, perturbed);
  dropUnused(model);
  sortNodes(model);
  const onProcessor = named(model, angleNodes(model, analysis.types));
  const [predictions, states] =
    kvCache.length > 0 ? [results().filter(isPrediction), results().filter(isState)] : [[], []];
  branch(model, builder, NEEDS_LOGITS, predictions);
  branch(model, builder, NEEDS_STATES, states);
  const skeleton = encodeSkeleton(model, ORIGINAL_FILE);
  const exact = computesInHalf(model, analysis) ? 'float16' : 'float32';
  const precision = runsAlone ? 'int8' : exact;
  const paddingId = analysis.counted?.paddingId;
  const heads = { hasHead: head !== undefined, readsGivenStates, showsAttention };
  const found = { layers: sites.length, sharesIds, runsAlone, hasWordEmbeddings, precision, ...heads } as const;
  const known = { tabledPositions: positions, tableRows, paddingId, ownLogits: own };
  return { skeleton, onProcessor, inputs, kvCache, outputs, ...found, ...known };
}

/** Every row of logits is computed, and those that are wanted are picked from them: rows are rounded together. */
function wholeHead({ flow }: Analysis): LanguageHead {
  return { input: flow.sink, product: undefined };
}

function shorter(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function keptOutputs({ outputs }: Model, { kvCache, head, flow }: Analysis): string[] {
  const others = new Set([...kvCache.map(({ output }) => output), ...(head ? [flow.sink] : [])]);
  const names = outputs.filter(({ type }) => type === ElementType.float32 || type === ElementType.float16);
  return names.map(({ name }) => name).filter((name) => !others.has(name));
}

/** Gives nodes names of their own, by which a session is told where to compute them: exporters may leave them out. */
function named(model: Model, nodes: ReadonlySet<GraphNode>): string[] {
  const nameOf = ({ outputs }: GraphNode) => `${ADDED}angle/${outputs[0]}`;
  model.nodes = model.nodes.map((node) => (nodes.has(node) ? { ...node, name: nameOf(node) } : node));
  return [...nodes].map(nameOf);
}

function isState(output: string): boolean {
  return !isPrediction(output);
}

/** Removes nodes that only the replaced results depended on. */
function dropUnused(model: Model): void {
  const names = model.outputs.map(({ name }) => name);
  model.nodes = [...ancestors(model.nodes, names)];
}

/** Weights that are stored in 16 bits and cast before use compute in 32. */
export function computesInHalf({ nodes }: Pick<Model, 'nodes'>, { types }: Pick<Analysis, 'types'>): boolean {
  return nodes.some(
    ({ operator, inputs }) => operator !== 'Cast' && inputs.some((input) => types.get(input) === ElementType.float16),
  );
}

function rewriteAttention(
  model: Model,
  builder: GraphBuilder,
  analysis: Analysis,
  run: RunLengths,
  config: NetworkConfig,
): readonly PerturbedScores[] {
  const { perturb, sites: perturbed } = addPerturbation(builder, run);
  const decompose = createDecomposer({ model, builder, run, perturb, types: analysis.types, config });
  for (const { kind, step, rank } of analysis.sites) {
    if (kind === 'fused') {
      decompose(step.node);
      continue;
    }
    const [scores = ''] = step.node.inputs;
    const type = analysis.types.get(scores);
    if (type !== ElementType.float32 && type !== ElementType.float16)
      refuse(`the scores before ${step.node.name} have ONNX element type ${type ?? 'unknown'}`);
    step.node.inputs[0] = perturb(scores, type, rank);
  }
  const replaced = new Set(analysis.sites.filter((site) => site.kind === 'fused').map((site) => site.step.node));
  // In place: the builder appends to this very array.
  model.nodes.splice(0, model.nodes.length, ...model.nodes.filter((node) => !replaced.has(node)));
  return perturbed;
}
