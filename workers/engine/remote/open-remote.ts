import { FailureError } from '../../../src/contract/failure.ts';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import { differenceOf, magnitudeOf } from '../../kernels/float-arrays.ts';
import type { SelfTest } from '../checks/self-test.ts';
import { TOLERANCE } from '../checks/test-runs.ts';
import { ElementType } from '../codec/element-type.ts';
import { orRelease } from '../device/or-release.ts';
import type { Network } from '../network.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import { planNetwork } from '../rewrite/plan-network.ts';
import { checkVocabulary } from '../session/choose-backend.ts';
import type { FileDigest } from '../codec/data-files.ts';
import { type Candidate, type ChoiceOptions, openCandidate } from '../session/open-tested.ts';
import { connectTo } from './connection.ts';
import { inOrder } from './digest.ts';
import { createInFlight } from './in-flight.ts';
import type { Encoding } from './oip-messages.ts';
import { recomputingPrefixes } from './recomputed-prefix.ts';
import { remoteRuntime } from './remote-runtime.ts';

/** What a network elsewhere is opened from. */
export interface RemoteOptions extends ChoiceOptions {
  readonly engine: RemoteEngine;
  /** SHA-256 of the graph, lower-case hexadecimal. */
  readonly digest: string;
  /** Of the data files that the graph names. */
  readonly dataDigests: readonly FileDigest[];
  /** The global `fetch`; tests hand in their own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A number in JSON takes about five times the bytes of a float32. */
const JSON_SHARE = 5;

/**
 * Opens a network whose passes an engine elsewhere computes. It is verified as it is opened: names and datatypes of the
 * engine's metadata against the plan, the digest of every file, the self-test over the wire, and, where the page has the
 * weights itself, the engine's numbers against its own.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the names or numbers that differ; ENGINE_UNAVAILABLE with the address
 */
export async function openRemotely(options: RemoteOptions): Promise<Network> {
  const { runtime, files, config, engine, fetch } = options;
  const plan = planNetwork(files.model, config);
  checkVocabulary(plan, options);
  const inFlight = createInFlight();
  const digests = inOrder(options.digest, options.dataDigests);
  const remote = remoteRuntime(runtime.ort, { engine, connection: connectTo(engine, fetch), inFlight, digests });
  const over = { ...options, runtime: { ...runtime, ort: remote.ort }, queue: inFlight.queue };
  const candidate = await openCandidate(over, plan, { kind: 'remote' });
  return orRelease(
    () => candidate.network.release(),
    async () => {
      const agreement = await agreementWithPage(options, plan, candidate.test);
      const { longRunMs, largestDifference } = candidate.test;
      const encoding = remote.encoding() ?? 'json';
      const reason =
        `${engine.address}, model "${engine.model}", ${encoding === 'binary' ? 'raw tensors' : 'JSON'}: ` +
        `self-test within ${largestDifference.toPrecision(2)} in ${longRunMs.toFixed(1)} ms over the wire; ${agreement}`;
      const bytesPerToken = sentBytesPerToken(plan, encoding);
      const network = bytesPerToken > 0 ? recomputingPrefixes(candidate.network, { bytesPerToken }) : candidate.network;
      return { ...network, inFlight: inFlight.limit, backend: { ...network.backend, reason } };
    },
  );
}

/** The engine's numbers beside the page's own. A model with large data files is not opened here: their digests must do. */
async function agreementWithPage(options: RemoteOptions, plan: NetworkPlan, test: SelfTest): Promise<string> {
  if (options.files.dataElsewhere)
    return `every file has the expected SHA-256; too large to compare its numbers with the page's own`;
  const local: Candidate = await openCandidate(options, plan, { kind: 'wasm' });
  await local.network.release();
  const difference = differenceOf(test.longRun, local.test.longRun);
  const limit = TOLERANCE[plan.precision] * (1 + magnitudeOf(local.test.longRun));
  if (difference <= limit) return `differs from this page by ${difference.toPrecision(2)}`;
  const { address, model } = options.engine;
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    `model "${model}" of the engine ${address} computes other numbers than this page: they differ by ` +
      `${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`,
  );
}

function sentBytesPerToken({ kvCache }: NetworkPlan, encoding: Encoding): number {
  const bytes = kvCache.reduce(
    (sum, { heads, headSize, type }) => sum + heads * headSize * (type === ElementType.float16 ? 2 : 4),
    0,
  );
  return encoding === 'binary' ? bytes : bytes * JSON_SHARE;
}
