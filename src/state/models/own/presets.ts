import { memoryOf } from '../../../models/memory.ts';
import type { Model } from '../../../models/model.ts';

/** What a preset is for. */
export type PresetTask = 'write' | 'embed' | 'read' | 'see';

/**
 * A model of the hub that suits a page like this one. None of them was ever opened by this project: what is written here is what
 * others say of them, and whatever is not known is asked of the hub when somebody looks one up.
 */
export interface Preset {
  /** `owner/name` */
  readonly id: string;
  readonly task: PresetTask;
  /** As its card names it. */
  readonly licence: string;
  /** Graph of the same family, with random weights, whose tier is known: a row of the table in docs/models.md. */
  readonly family: string;
  /** Bytes of the graph in each weight type, where the hub's own pointers say it. */
  readonly bytes: Readonly<Partial<Record<Model['dtype'], number>>>;
}

/** @source the models' cards on the hub; bytes: the Git LFS pointers of its repositories */
export const PRESETS: readonly Preset[] = [
  preset('write', 'onnx-community/Qwen3-0.6B-ONNX', 'apache-2.0', 'qwen3'),
  preset('write', 'HuggingFaceTB/SmolLM2-135M-Instruct', 'apache-2.0', 'llama'),
  preset('write', 'HuggingFaceTB/SmolLM2-360M-Instruct', 'apache-2.0', 'llama'),
  preset('write', 'onnx-community/gemma-3-270m-it-ONNX', 'gemma', 'gemma3'),
  preset('write', 'openai-community/gpt2', 'mit', 'gpt2-merged', { fp32: 655_189_339 }),
  preset('embed', 'Xenova/all-MiniLM-L6-v2', 'apache-2.0', 'bert', {
    ...{ fp32: 90_387_606, fp16: 45_297_825, q8: 22_972_370 },
  }),
  preset('embed', 'Supabase/gte-small', 'mit', 'bert', { fp32: 133_093_491, q8: 34_014_427 }),
  preset('embed', 'Xenova/multilingual-e5-small', 'mit', 'bert'),
  preset('embed', 'Xenova/bge-small-en-v1.5', 'mit', 'bert'),
  preset('embed', 'onnx-community/embeddinggemma-300m-ONNX', 'gemma', 'gemma3'),
  preset('embed', 'onnx-community/Qwen3-Embedding-0.6B-ONNX', 'apache-2.0', 'qwen3'),
  preset('read', 'Xenova/distilbert-base-cased-distilled-squad', 'apache-2.0', 'distilbert'),
  preset('see', 'HuggingFaceTB/SmolVLM-256M-Instruct', 'apache-2.0', 'llama'),
];

/** The tasks in the order in which they are shown. */
export const PRESET_TASKS: readonly PresetTask[] = ['write', 'embed', 'read', 'see'];

function preset(task: PresetTask, id: string, licence: string, family: string, bytes: Preset['bytes'] = {}): Preset {
  return { id, task, licence, family, bytes };
}

/** Memory that the smallest weights need of which the size is known, in bytes, about; null where none is. */
export function memoryOfPreset({ bytes }: Preset): number | null {
  const known = Object.values(bytes);
  return known.length === 0 ? null : memoryOf(Math.min(...known));
}
