import { FailureError } from '../../../src/contract/failure.ts';
import { fromHalf } from '../codec/element-type.ts';
import { LOGITS, LOG_PROBABILITIES } from '../rewrite/logits-head.ts';
import { ABSOLUTE_MAXIMUM, MAXIMUM, POOLED } from '../rewrite/pooled-outputs.ts';
import type { NetworkPlan } from '../rewrite/rewrite.ts';
import type { NamedOutput, NetworkAnswer, NetworkRun } from '../network.ts';
import type { Tensor } from './runtime-types.ts';

/** Tensors by graph output. */
export type Fetched = Readonly<Record<string, Tensor>>;

/**
 * Graph outputs that a run asks for. Nothing else is copied from the device.
 *
 * @throws {RangeError} without a head, or without an output of that name
 * @throws {FailureError} MISSING_CAPABILITY for controls or states of a network that was left as it is
 */
export function fetchesOf(plan: NetworkPlan, run: NetworkRun): string[] {
  if (run.perturbation) refuseIfKept(plan, 'attention controls');
  if (run.pooling || run.maxima) refuseIfKept(plan, 'hidden states');
  const wantsHead = run.logits || run.targets;
  if (wantsHead && !plan.hasHead) throw new RangeError('logits asked of a network without a language-model head');
  const unknown = run.outputs?.find((name) => !plan.outputs.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`output "${unknown}" asked of a network with ${plan.outputs.join(', ') || 'none'}`);
  return [
    ...(run.pooling ? [POOLED] : []),
    ...(run.maxima ? [MAXIMUM, ABSOLUTE_MAXIMUM] : []),
    ...(run.logits ? [LOGITS] : []),
    ...(run.targets ? [LOG_PROBABILITIES] : []),
    ...(run.outputs ?? []),
    ...(run.retain ? plan.cache.map((cached) => cached.output) : []),
  ];
}

/** @throws {FailureError} MISSING_CAPABILITY where the graph was left as it is */
export function refuseIfKept({ keptBecause }: NetworkPlan, wanted: string): void {
  if (keptBecause === undefined) return;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one with ${wanted}, got one without: ${keptBecause}`);
}

/** What a run is answered with, except for `present`. */
export async function answerOf(fetched: Fetched, run: NetworkRun): Promise<Omit<NetworkAnswer, 'present'>> {
  return {
    ...(run.pooling && { pooled: await valuesOf(fetched, POOLED) }),
    ...(run.maxima && { maximum: await valuesOf(fetched, MAXIMUM) }),
    ...(run.maxima && { absoluteMaximum: await valuesOf(fetched, ABSOLUTE_MAXIMUM) }),
    ...(run.logits && { logits: await valuesOf(fetched, LOGITS) }),
    ...(run.targets && { logProbabilities: await valuesOf(fetched, LOG_PROBABILITIES) }),
    ...(run.outputs && { outputs: await namedOutputs(fetched, run.outputs) }),
  };
}

async function namedOutputs(fetched: Fetched, names: readonly string[]): Promise<Record<string, NamedOutput>> {
  const outputs: Record<string, NamedOutput> = {};
  for (const name of names)
    outputs[name] = {
      dimensions: fetched[name]?.dims ?? [],
      values: floatsOf(name, await fetched[name]?.getData(true)),
    };
  return outputs;
}

/** The numbers of an output. 16-bit floats come as their bits, or as numbers in a `Float16Array` where the browser has one. */
export function floatsOf(name: string, data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  if (!ArrayBuffer.isView(data) || data.byteLength % 2)
    throw new TypeError(`output ${name} is missing or has no floats`);
  return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), fromHalf);
}

/** The values of a float32 output. */
export async function valuesOf(fetched: Fetched, name: string): Promise<Float32Array> {
  const data = await fetched[name]?.getData(true);
  if (!(data instanceof Float32Array)) throw new TypeError(`output ${name} is missing or not float32`);
  return data;
}
