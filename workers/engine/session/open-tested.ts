import { selfTest } from '../checks/self-test.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { BackendKind } from '../../../src/protocol/model-job.ts';
import { readerTest } from '../checks/reader-test.ts';
import type { SelfTest } from '../checks/self-test.ts';
import type { NetworkConfig } from '../analysis/network-config.ts';
import { orRelease } from '../device/or-release.ts';
import type { Network, Backend } from '../network.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import type { BrowserRuntime } from './browser-runtime.ts';
import type { Gpu } from './gpu-device.ts';
import { openNetwork } from './open-network.ts';
import type { RunQueue } from './run-queue.ts';
import type { ModelFiles, SessionDevice } from './session.ts';

/** A network on one backend, tested. */
export interface Candidate {
  readonly network: Network;
  readonly test: SelfTest;
}

/** What backends are opened from. */
export interface ChoiceOptions {
  readonly runtime: Pick<BrowserRuntime, 'ort' | 'threads' | 'threadReason'>;
  readonly files: ModelFiles;
  readonly config: NetworkConfig;
  /** Ids of the folder's tokenizer are below this; left out: not compared with the network. */
  readonly vocabulary?: number;
  /** Use this one and measure no other. */
  readonly backend?: BackendKind | undefined;
  readonly findGpu?: () => Promise<Gpu | undefined>;
  /** As `OpenOptions.queue`. */
  readonly queue?: RunQueue;
}

/** Opens and tests; a graph that computes wrong numbers from shared ids is tried again without sharing them. */
export async function openCandidate(options: ChoiceOptions, plan: NetworkPlan, on: SessionDevice): Promise<Candidate> {
  const { runtime, files, config, queue } = options;
  const backend: Backend = { kind: on.kind, threads: on.kind === 'wasm' ? runtime.threads : 1, reason: 'being tested' };
  const network = await openNetwork({ ort: runtime.ort, files, config, on, backend, plan, queue });
  const test = await orRelease(
    () => network.release(),
    () => tested(network, plan),
  );
  if (typeof test !== 'string') return { network: asTested(network, test, plan), test };
  await network.release();
  if (plan.sharesIds) return openCandidate(options, { ...plan, sharesIds: false }, on);
  throw new FailureError('MODEL_UNAVAILABLE', `${on.kind} computes wrong numbers for this network: ${test}`);
}

/** The self-test, or what is wrong. A run that ONNX Runtime breaks off is as wrong as one with other numbers. */
async function tested(network: Network, plan: NetworkPlan): Promise<SelfTest | string> {
  try {
    const test = await (plan.keptBecause === undefined ? selfTest : readerTest)(network, plan.precision);
    return test.fault ?? test;
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error)) throw error;
    return error.message;
  }
}

/** Logits of a network that sees what comes after say nothing about next tokens (BERT's masked-word head). */
function asTested(network: Network, { isCausal, takesPadding }: SelfTest, plan: NetworkPlan): Network {
  // Dynamic int8 rounds all positions together, so that none is left quite unchanged; a graph with a past is a decoder.
  const predicts = isCausal || (plan.runsAlone && plan.kvCache.length > 0);
  const vocabulary = predicts ? network.shape.vocabulary : 0;
  return { ...network, shape: { ...network.shape, vocabulary, takesPadding } };
}
