import { floatsOfOutput } from './tensors.ts';
import type { NamedOutput, NetworkAnswer, NetworkRun } from '../network.ts';
import { refuseIfKept } from '../refusal.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import {
  ATTENDED,
  ATTENDED_LAST,
  LOGITS,
  LOG_PROBABILITIES,
  ABSOLUTE_MAXIMUM,
  MAXIMUM,
  POOLED,
} from '../tensor-names.ts';
import type { Fetched } from './session.ts';
import { valuesOf } from './tensors.ts';

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
  if (run.attention && !plan.showsAttention) throw new RangeError('attention asked of a network that does not show it');
  if (run.states && !plan.readsGivenStates) throw new RangeError('states given to a network that reads none');
  const unknown = run.outputs?.find((name) => !plan.outputs.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`output "${unknown}" asked of a network with ${plan.outputs.join(', ') || 'none'}`);
  return [
    ...(run.pooling ? [POOLED] : []),
    ...(run.maxima ? [MAXIMUM, ABSOLUTE_MAXIMUM] : []),
    ...(run.logits ? [LOGITS] : []),
    ...(run.targets ? [LOG_PROBABILITIES] : []),
    ...(run.attention ? [ATTENDED, ATTENDED_LAST] : []),
    ...(run.outputs ?? []),
    ...(run.keepKvCache ? plan.kvCache.map((cached) => cached.output) : []),
  ];
}

/** What a run returns, except for the KV cache. */
export async function answerOf(fetched: Fetched, run: NetworkRun): Promise<Omit<NetworkAnswer, 'present'>> {
  return {
    ...(run.pooling && { pooled: await valuesOf(fetched, POOLED) }),
    ...(run.maxima && { maximum: await valuesOf(fetched, MAXIMUM) }),
    ...(run.maxima && { absoluteMaximum: await valuesOf(fetched, ABSOLUTE_MAXIMUM) }),
    ...(run.logits && { logits: await valuesOf(fetched, LOGITS) }),
    ...(run.targets && { logProbabilities: await valuesOf(fetched, LOG_PROBABILITIES) }),
    ...(run.attention && { attention: await attentionOf(fetched) }),
    ...(run.outputs && { outputs: await namedOutputs(fetched, run.outputs) }),
  };
}

async function attentionOf(fetched: Fetched): Promise<NonNullable<NetworkAnswer['attention']>> {
  return { earlier: await valuesOf(fetched, ATTENDED), last: await valuesOf(fetched, ATTENDED_LAST) };
}

async function namedOutputs(fetched: Fetched, names: readonly string[]): Promise<Record<string, NamedOutput>> {
  const outputs: Record<string, NamedOutput> = {};
  for (const name of names)
    outputs[name] = {
      dimensions: fetched[name]?.dims ?? [],
      values: floatsOfOutput(name, await fetched[name]?.getData(true)),
    };
  return outputs;
}
