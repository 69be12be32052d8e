import { FailureError } from '../../../src/contract/failure.ts';
import { compared } from '../../kernels/float-arrays.ts';
import { attempt, type Guard, releaseOnError } from '../device/guard.ts';
import { type NetworkRun, tokensOf } from '../network.ts';
import type { NetworkPlan } from '../rewrite/plan-network.ts';
import { ORIGINAL_FILE, TENSORS } from '../tensor-names.ts';
import { cacheFeeds, type KvCacheTensors, originalFeeds } from './feeds.ts';
import {
  bytesOfGraph,
  type Fetched,
  type GraphFiles,
  type ModelFiles,
  openSession,
  type Ort,
  type Session,
  valuesOf,
} from './session.ts';
import { ancestors, constantNumbers, sortNodes } from '../analysis/graph-traversal.ts';
import type { KvCacheTensor } from '../analysis/network-inputs.ts';
import { type GraphNode, integersAttribute } from '../codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type OnnxModel } from '../codec/model-proto.ts';
import { createGraphBuilder, type GraphBuilder } from '../rewrite/graph-builder.ts';

/** A pass that either of two graphs can compute. */
interface SharedPass {
  readonly run: NetworkRun;
  readonly fetches: readonly string[];
  readonly kvTensors: KvCacheTensors | undefined;
  rewritten(): Promise<Fetched>;
}

/** Takes the steps of a text that is written without controls through a graph without them. */
interface PlainSteps {
  /** The pass, through whichever graph is right for it. */
  take(pass: SharedPass): Promise<Fetched>;
  release(): Promise<void>;
}

/** A network with more bytes is not opened twice: the added part of the graph is a small part of its steps. */
export const PLAIN_STEPS_BYTES = 64 * 2 ** 20;

/** Steps before the second session is opened: opening takes as long as some of them. */
export const STEPS_BEFORE = 12;

/** How far the two graphs may be apart, as a share of 1 + the largest logit. */
const TOLERANCE = { float32: 1e-4, float16: 1e-2, int8: 0 } as const;

/**
 * A second session of a small network, for steps that need nothing of the rewrite: of the file's graph without the parts that a
 * step of one text can leave out, else of the file as it was exported. It is opened when a text turns out to be long, and used
 * only where its first step agrees with the rewritten graph.
 *
 * @returns undefined where the file's graph cannot take a step, or is too large to be opened twice
 */
export function createPlainSteps(ort: Ort, plan: NetworkPlan, files: ModelFiles, guard: Guard): PlainSteps | undefined {
  const { ownLogits } = plan;
  if (ownLogits === undefined || bytesOfGraph(files) > PLAIN_STEPS_BYTES) return undefined;
  let unopened: ModelFiles | undefined = files; // its bytes can be freed once they are in a session
  let session: Session | undefined;
  let steps = 0;
  const step = async (open: Session, { run, fetches, kvTensors }: SharedPass): Promise<Fetched> => {
    const names = fetches.map((name) => (name === TENSORS.logits ? ownLogits : name));
    const fetched = await guard(() => open.run(stepFeeds(ort, plan, run, kvTensors), names));
    const logits = fetched[ownLogits];
    return logits ? { ...fetched, [TENSORS.logits]: logits } : fetched;
  };
  /** A session whose step agrees with `expected`, or undefined. */
  const opened = async (graph: GraphFiles, pass: SharedPass, expected: Fetched): Promise<Session | undefined> => {
    const open = await attempt(() => guard(() => openSession(ort, graph, { kind: 'wasm' })));
    if (open instanceof FailureError) return undefined; // not needed: the rewritten graph can do the same
    const isRight = await releaseOnError(
      () => open.release(),
      async () => {
        const fetched = await stepOrNot(() => step(open, pass));
        return fetched !== undefined && agree(fetched, expected, TOLERANCE[plan.precision]);
      },
    );
    if (isRight) return open;
    await open.release();
    return undefined;
  };
  /** The first step is computed by each graph that is tried. */
  const openAnd = async (from: ModelFiles, pass: SharedPass): Promise<Fetched> => {
    unopened = undefined;
    const expected = await pass.rewritten();
    const { model, external } = from;
    const lean = stepGraph(model, plan.kvCache);
    const leanFiles = lean && { model: lean, external: [{ path: ORIGINAL_FILE, data: model }, ...external] };
    session = (leanFiles && (await opened(leanFiles, pass, expected))) ?? (await opened(from, pass, expected));
    return expected;
  };
  return {
    take(pass) {
      if (!isStep(pass)) return pass.rewritten();
      if (session) return step(session, pass);
      return unopened && ++steps > STEPS_BEFORE ? openAnd(unopened, pass) : pass.rewritten();
    },
    async release() {
      unopened = undefined;
      await session?.release();
      session = undefined;
    },
  };
}

/** A graph that ONNX Runtime opens and cannot run is as wrong as one with other numbers. */
async function stepOrNot(step: () => Promise<Fetched>): Promise<Fetched | undefined> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error)) throw error;
    return undefined;
  }
}

async function agree(fetched: Fetched, expected: Fetched, tolerance: number): Promise<boolean> {
  const [plain, rewritten] = [await valuesOf(fetched, TENSORS.logits), await valuesOf(expected, TENSORS.logits)];
  return compared(plain, rewritten, tolerance).agrees;
}

/** One token of one text, after all its keys and values, that returns the logits of the next one and nothing else. */
function isStep({ run, kvTensors }: SharedPass): boolean {
  const { cached, perturbation, logits, targets, pooling, maxima, states, attention, outputs, steering } = run;
  if (run.batch !== 1 || tokensOf(run) !== 1 || !logits || !kvTensors || cached?.kvCache.batch !== 1) return false;
  if (targets || pooling || maxima || states || attention || outputs || steering) return false;
  if (perturbation?.layout || run.lengths) return false;
  return cached.tokens === cached.kvCache.tokens && (perturbation?.factors.every((factor) => factor === 1) ?? true);
}

function stepFeeds(ort: Ort, plan: NetworkPlan, run: NetworkRun, kvTensors: KvCacheTensors | undefined) {
  const fed = { ...run, segments: run.segments, positions: undefined, embedded: undefined };
  const lengths = { tokens: 1, total: (run.cached?.tokens ?? 0) + 1 };
  return { ...originalFeeds(ort, plan.inputs, fed, lengths), ...cacheFeeds(ort, plan.kvCache, kvTensors, 1) };
}

/**
 * The file's graph for steps of one token of one text, with the same inputs and outputs. Query heads that share a key head are laid
 * one below the other. Exporters repeat all keys and values for them instead, which copies each of them several times in every step.
 *
 * The result depends on the exporter, so a step must agree with another way to the same numbers.
 *
 * @param file  the original `.onnx` file; weights are not copied
 * @returns an ONNX file that refers to the original one for its weights; undefined where nothing is repeated
 */
export function stepGraph(file: Uint8Array, kvCache: readonly KvCacheTensor[]): Uint8Array<ArrayBuffer> | undefined {
  const model = decodeModel(file);
  const makers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const repetitions = model.nodes.flatMap((product) => repeatedFor(product, model, makers, kvCache) ?? []);
  if (repetitions.length === 0) return undefined;
  const builder = createGraphBuilder(model);
  for (const repeated of repetitions) layBelow(builder, repeated);
  const replaced = new Set(repetitions.map(({ product }) => product));
  const left = model.nodes.filter((node) => !replaced.has(node));
  const names = model.outputs.map(({ name }) => name);
  model.nodes = [...ancestors(left, names)];
  sortNodes(model);
  return encodeSkeleton(model, ORIGINAL_FILE);
}

/** A product of query heads with keys or values that are repeated for them. */
interface Repeated {
  readonly product: GraphNode;
  readonly cached: KvCacheTensor;
  /** The product is with keys, whose last two axes change places before it. */
  readonly isTurned: boolean;
}

const TURN = [0, 1, 3, 2];

function repeatedFor(
  product: GraphNode,
  model: OnnxModel,
  makers: ReadonlyMap<string, GraphNode>,
  kvCache: readonly KvCacheTensor[],
): Repeated | undefined {
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
  return axes?.join() === '2' && cached ? { product, cached, isTurned: turned !== undefined } : undefined;
}

/** In a shape, 0 leaves an axis as long as it is, and −1 is the rest. */
function layBelow(builder: GraphBuilder, { product, cached, isTurned }: Repeated): void {
  const [rows = ''] = product.inputs; // [1, heads, 1, headSize or total]
  const grouped = builder.reshape(rows, builder.integers(1, cached.heads, -1, 0));
  const other = isTurned ? builder.node('Transpose', [cached.output], { perm: TURN }) : cached.output;
  builder.reshape(builder.node('MatMul', [grouped, other]), builder.integers(1, -1, 1, 0), product.outputs[0]);
}
