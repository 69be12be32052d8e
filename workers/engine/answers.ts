import { LOGITS, LOG_PROBABILITIES } from './graph/logits-head.ts';
import { ABSOLUTE_MAXIMUM, MAXIMUM, POOLED } from './graph/pooled-outputs.ts';
import type { NetworkPlan } from './graph/rewrite.ts';
import type { NetworkAnswer, NetworkRun } from './network.ts';
import type { Tensor } from './runtime-types.ts';

/** Tensors by graph output. */
export type Fetched = Readonly<Record<string, Tensor>>;

/** Graph outputs that a run asks for. Nothing else is copied from the device. @throws {RangeError} without a head */
export function fetchesOf(plan: NetworkPlan, run: NetworkRun): string[] {
  const wantsHead = run.logits || run.targets;
  if (wantsHead && !plan.hasHead) throw new RangeError('logits asked of a network without a language-model head');
  return [
    ...(run.pooling ? [POOLED] : []),
    ...(run.maxima ? [MAXIMUM, ABSOLUTE_MAXIMUM] : []),
    ...(run.logits ? [LOGITS] : []),
    ...(run.targets ? [LOG_PROBABILITIES] : []),
    ...(run.retain ? plan.cache.map((cached) => cached.output) : []),
  ];
}

/** What a run is answered with, except for `present`. */
export async function answerOf(fetched: Fetched, run: NetworkRun): Promise<Omit<NetworkAnswer, 'present'>> {
  return {
    ...(run.pooling && { pooled: await valuesOf(fetched, POOLED) }),
    ...(run.maxima && { maximum: await valuesOf(fetched, MAXIMUM) }),
    ...(run.maxima && { absoluteMaximum: await valuesOf(fetched, ABSOLUTE_MAXIMUM) }),
    ...(run.logits && { logits: await valuesOf(fetched, LOGITS) }),
    ...(run.targets && { logProbabilities: await valuesOf(fetched, LOG_PROBABILITIES) }),
  };
}

/** The values of a float32 output. */
export async function valuesOf(fetched: Fetched, name: string): Promise<Float32Array> {
  const data = await fetched[name]?.getData(true);
  if (!(data instanceof Float32Array)) throw new TypeError(`output ${name} is missing or not float32`);
  return data;
}
