import type { Model } from '../codec/model-proto.ts';
import type { ValueInfo } from '../codec/value-info.ts';
import type { NetworkConfig } from './network-config.ts';
import { refuse } from '../refusal.ts';
import { headSizeOfGroupQuery } from './weight-shapes.ts';

/** One retained tensor: graph input with the KV cache, graph output with past and present. */
export interface KvCacheTensor {
  readonly input: string;
  readonly output: string;
  readonly type: number;
  readonly heads: number;
  /** Keys and values in one tensor, `[2, batch, heads, tokens, headSize]`, as older exports of GPT-2 keep them. */
  readonly isStacked: boolean;
  /** undefined where the exporter left the axis symbolic. */
  readonly headSize: number | undefined;
}

const PAST = /^past_key_values\.(\d+)\.(key|value)$/;
const STACKED = /^past_(\d+)$/;

/** Whether a graph input takes keys or values of positions that were computed before. */
export function isKvCacheInput({ name }: Pick<ValueInfo, 'name'>): boolean {
  return PAST.test(name) || STACKED.test(name);
}

/** Inputs and outputs with keys and values, by layer. Empty for networks without a KV cache. */
export function kvCacheTensors(model: Model): KvCacheTensor[] {
  return model.inputs.flatMap((input) => {
    const [, layer, part] = PAST.exec(input.name) ?? STACKED.exec(input.name) ?? [];
    if (layer === undefined) return [];
    const isStacked = part === undefined;
    const output = isStacked ? `present_${layer}` : `present.${layer}.${part}`;
    if (!model.outputs.some((each) => each.name === output)) refuse(`"${input.name}" has no output "${output}"`);
    const [, heads, , headSize] = input.dimensions?.slice(isStacked ? 1 : 0) ?? [];
    if (typeof heads !== 'number') return refuse(`"${input.name}" does not say how many heads it has`);
    return { input: input.name, output, type: input.type, heads, isStacked, headSize: numberOrNothing(headSize) };
  });
}

function numberOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/**
 * Length of one head's keys and values. Current builders leave the axis symbolic; then it is read from
 * the weights behind the fused attention that reads the tensor, at last from `config.json`.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when neither tells
 */
export function headSizeOf(tensor: KvCacheTensor, model: Model, config: NetworkConfig): number {
  if (tensor.headSize !== undefined) return tensor.headSize;
  const reader = model.nodes.find((node) => node.inputs.includes(tensor.input));
  const size = (reader && headSizeOfGroupQuery(reader, model)) ?? config.headSize;
  return size ?? refuse(`the length of the heads of "${tensor.input}" is not known; config.json should give head_dim`);
}
