import { FailureError } from '../../../../src/contract/failure.ts';
import { differenceOf, magnitudeOf } from '../../../kernels/float-arrays.ts';
import type { Guard } from '../../device/guard.ts';
import { orRelease } from '../../device/or-release.ts';
import { type NetworkRun, tokensOf } from '../../network.ts';
import type { NetworkPlan } from '../../rewrite/network-plan.ts';
import { LOGITS, ORIGINAL_FILE } from '../../tensor-names.ts';
import { cacheFeeds, type KvCacheTensors } from '../feeds/feeds.ts';
import { originalFeeds } from '../feeds/original-feeds.ts';
import { type Fetched, type GraphFiles, type ModelFiles, openSession, type Ort, type Session } from '../session.ts';
import { valuesOf } from '../tensors.ts';
import { stepGraph } from './step-graph.ts';

/** A pass that either of two graphs can compute. */
export interface SharedPass {
  readonly run: NetworkRun;
  readonly fetches: readonly string[];
  readonly kvTensors: KvCacheTensors | undefined;
  /** The pass through the rewritten graph. */
  rewritten(): Promise<Fetched>;
}

/** Takes the steps of a text that is written without controls through a graph without them. */
export interface OwnSteps {
  /** The pass, through whichever graph is right for it. */
  take(pass: SharedPass): Promise<Fetched>;
  release(): Promise<void>;
}

/**
 * A network with more bytes is not opened twice. What the rewrite adds takes about as long in every step, so that it is
 * a small part of a step of such a network.
 */
export const OWN_STEPS_BYTES = 64 * 2 ** 20;

/** So many steps are taken before the second session is opened: it takes as long as some of them. */
export const STEPS_BEFORE = 12;

/** How far the two graphs may be apart, as a share of 1 + the largest logit. */
const TOLERANCE = { float32: 1e-4, float16: 1e-2, int8: 0 } as const;

interface OwnStepsOptions {
  readonly ort: Ort;
  readonly plan: NetworkPlan;
  readonly files: ModelFiles;
  readonly guard: Guard;
}

/**
 * A second session of a small network, for steps that need nothing of the rewrite: of the file's graph without what a step of one
 * text can leave out, else of the file as it was exported. It is opened when a text is seen to be long, and kept only where
 * its first step agrees with the rewritten graph.
 *
 * @returns undefined where the file's graph cannot take a step, or is too large to be opened twice
 */
export function createOwnSteps({ ort, plan, files, guard }: OwnStepsOptions): OwnSteps | undefined {
  const { ownLogits } = plan;
  if (ownLogits === undefined || bytesOf(files) > OWN_STEPS_BYTES) return undefined;
  let unopened: ModelFiles | undefined = files; // its bytes are let go once they are in a session
  let session: Session | undefined;
  let steps = 0;
  const step = async (open: Session, { run, fetches, kvTensors }: SharedPass): Promise<Fetched> => {
    const names = fetches.map((name) => (name === LOGITS ? ownLogits : name));
    const fetched = await guard(() => open.run(stepFeeds(ort, plan, run, kvTensors), names));
    const logits = fetched[ownLogits];
    return logits ? { ...fetched, [LOGITS]: logits } : fetched;
  };
  /** A session whose step agrees with `expected`, or undefined. */
  const opened = async (graph: GraphFiles, pass: SharedPass, expected: Fetched): Promise<Session | undefined> => {
    const open = await openOrNot(() => guard(() => openSession(ort, graph, { kind: 'wasm' })));
    if (!open) return undefined;
    const isRight = await orRelease(
      () => open.release(),
      async () => {
        const found = await stepOrNot(() => step(open, pass));
        return found !== undefined && agree(found, expected, TOLERANCE[plan.precision]);
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
    const lean = leanGraph(from, plan);
    session = (lean && (await opened(lean, pass, expected))) ?? (await opened(from, pass, expected));
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

/** The rewritten graph can do everything that the other one can, so that one which does not open is done without. */
async function openOrNot(open: () => Promise<Session>): Promise<Session | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof FailureError && error.failure.code !== 'DEVICE_LOST') return undefined;
    throw error;
  }
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

function leanGraph({ model, external }: ModelFiles, { kvCache }: NetworkPlan): GraphFiles | undefined {
  const lean = stepGraph(model, kvCache);
  return lean && { model: lean, external: [{ path: ORIGINAL_FILE, data: model }, ...external] };
}

async function agree(found: Fetched, expected: Fetched, tolerance: number): Promise<boolean> {
  const [own, rewritten] = [await valuesOf(found, LOGITS), await valuesOf(expected, LOGITS)];
  return differenceOf(own, rewritten) <= tolerance * (1 + magnitudeOf(rewritten));
}

/** One token behind all keys and values that there are, of one text, of which only what comes next is asked. */
function isStep({ run, kvTensors }: SharedPass): boolean {
  const { cached, perturbation, logits, targets, pooling, maxima, states, attention, outputs, layout } = run;
  if (run.batch !== 1 || tokensOf(run) !== 1 || !logits || !kvTensors || cached?.kvCache.batch !== 1) return false;
  if (targets || pooling || maxima || states || attention || outputs || layout || run.lengths) return false;
  return cached.tokens === cached.kvCache.tokens && (perturbation?.factors.every((factor) => factor === 1) ?? true);
}

function stepFeeds(ort: Ort, plan: NetworkPlan, run: NetworkRun, kvTensors: KvCacheTensors | undefined) {
  const fed = { ...run, segments: run.segments, positions: undefined, embedded: undefined };
  const lengths = { tokens: 1, past: run.cached?.tokens ?? 0 };
  return { ...originalFeeds(ort, plan.inputs, fed, lengths), ...cacheFeeds(ort, plan.kvCache, kvTensors) };
}

function bytesOf({ model, external }: ModelFiles): number {
  return external.reduce((sum, { data }) => sum + data.byteLength, model.byteLength);
}
