import { ElementType } from '../../../workers/engine/codec/tensor-proto.ts';
import type { ValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import type { Ort, Tensor } from '../../../workers/engine/session/session.ts';

/** What an input of a file as it was exported is fed, for one sequence without a past. */
export function originalFeed(ort: Ort, { name, type, dimensions }: ValueInfo, ids: readonly number[]): Tensor {
  if (name === 'use_cache_branch') return new ort.Tensor('bool', Uint8Array.of(0), [1]);
  if (name.startsWith('past')) {
    const isStacked = dimensions?.length === 5;
    const [, heads, , size] = dimensions?.slice(Number(isStacked)) ?? [];
    const shape = [...(isStacked ? [2] : []), 1, Number(heads), 0, typeof size === 'number' ? size : 16];
    if (type === ElementType.float16) return new ort.Tensor('float16', new Uint16Array(0), shape);
    return new ort.Tensor('float32', new Float32Array(0), shape);
  }
  if (name === 'token_weights') return new ort.Tensor('float32', new Float32Array(ids.length).fill(1), [1, ids.length]);
  const values: Record<string, (index: number) => number> = {
    input_ids: (index) => ids[index] ?? 0,
    attention_mask: () => 1,
    position_ids: (index) => index,
    token_type_ids: () => 0,
  };
  const value = values[name];
  if (value === undefined) throw new Error(`no feed for input ${name}`);
  const axes = name === 'position_ids' && dimensions?.length === 3 ? 3 : 1;
  return new ort.Tensor(
    'int64',
    BigInt64Array.from({ length: axes * ids.length }, (_, index) => BigInt(value(index % ids.length))),
    [...(axes === 3 ? [3] : []), 1, ids.length],
  );
}
