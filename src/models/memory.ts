import type { Model } from './model.ts';

/**
 * Memory that a network takes in ONNX Runtime's heap, as a share of its weights: they lie there once, operators lay some of them out
 * a second time, and the heap grows in large steps. Measured by `npm run bench:memory`; a larger network was seen at 1.12.
 */
const HEAP_SHARE = 1.57;

/** Weight types by the end of a graph's name. @source transformers.js 4.3.1, dtypes.js */
const ENDS: readonly (readonly [Model['dtype'], RegExp])[] = [
  ['q4f16', /_q4f16$/],
  ['q4', /_q4$/],
  ['fp16', /_fp16$/],
  ['q8', /_quantized$/],
  ['fp32', /^(?!.*_(int8|uint8|bnb4)$)/],
];

/** Bytes of the graphs of a weight type, with their data files; 0 where none are listed. @param files  bytes by path */
export function weightBytes(files: Readonly<Record<string, number>>, dtype: Model['dtype']): number {
  return Object.entries(files).reduce((sum, [path, bytes]) => sum + (dtypeOf(path) === dtype ? bytes : 0), 0);
}

/** Memory that a model needs for its weights, in bytes, about; undefined where its files are not known. */
export function neededBytes({ files, held, dtype }: Pick<Model, 'files' | 'held' | 'dtype'>): number | undefined {
  const sizes = held
    ? Object.entries(held).map(([path, { size }]) => [path, size] as const)
    : Object.entries(files ?? {}).map(([path, { bytes }]) => [path, bytes] as const);
  const bytes = weightBytes(Object.fromEntries(sizes), dtype);
  return bytes > 0 ? memoryOf(bytes) : undefined;
}

/** Memory that so many bytes of weights need, in bytes, about. */
export function memoryOf(weights: number): number {
  return HEAP_SHARE * weights;
}

function dtypeOf(path: string): Model['dtype'] | undefined {
  const [, name] = /^onnx\/(.+?)\.onnx(_data.*|\.data.*)?$/.exec(path) ?? [];
  return name === undefined ? undefined : ENDS.find(([, end]) => end.test(name))?.[0];
}
