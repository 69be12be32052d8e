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
import type { KvCacheTensor } from '../analysis/network-inputs.ts';
import { decodeModel, encodeSkeleton } from '../codec/model-proto.ts';
import { simplifyChains } from '../rewrite/exported-forms.ts';

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
 * A second session of a small network, for steps that need nothing of the rewrite: of the file's graph in fewer
 * operators. It is opened when a text turns out to be long, and used
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
  /** The first step is computed by both graphs. */
  const openAnd = async (from: ModelFiles, pass: SharedPass): Promise<Fetched> => {
    unopened = undefined;
    const expected = await pass.rewritten();
    const { model, external } = from;
    const lean = stepGraph(model, plan.kvCache);
    const leanFiles = { model: lean, external: [{ path: ORIGINAL_FILE, data: model }, ...external] };
    session = await opened(leanFiles, pass, expected);
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
 * The file's graph with the same inputs and outputs, in fewer operators.
 *
 * @param file  the original `.onnx` file; weights are not copied
 * @returns an ONNX file that refers to the original one for its weights
 */
export function stepGraph(file: Uint8Array, kvCache: readonly KvCacheTensor[]): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  simplifyChains(model, kvCache);
  return encodeSkeleton(model, ORIGINAL_FILE);
}
