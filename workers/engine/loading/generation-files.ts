import type { Model } from '../../../src/models/model.ts';
import { download, downloadJsonIfPresent, type DownloadOptions } from './download.ts';

/** What a folder says of writing, as transformers keeps it. */
export interface GenerationFiles {
  /** `generation_config.json`, parsed: the ids with which a text may end; {} where there is none. */
  readonly config: object;
  /** The form of a dialogue, in Jinja; undefined for a model that was not made for dialogues. */
  readonly chatTemplate?: string;
  /** Texts of special tokens that a template may name, such as `bos_token`. */
  readonly marks: Readonly<Record<string, string>>;
}

const CONFIG = 'generation_config.json';
const TEMPLATE = 'chat_template.jinja';

/**
 * Reads what there is: a folder need not have these files, and they are asked for only where they may be there, because a
 * browser's console shows every 404. The template stands in a file of its own, or in `tokenizer_config.json`.
 *
 * @throws as `download`
 */
export async function loadGenerationFiles(
  { folder, files, capabilities }: Model,
  tokenizerConfig: object,
  optionsFor: (path: string) => DownloadOptions,
): Promise<GenerationFiles | undefined> {
  if (!capabilities.includes('explain') && !capabilities.includes('complete')) return undefined;
  const mayHaveConfig = files === undefined || Object.hasOwn(files, CONFIG);
  const config = mayHaveConfig ? await downloadJsonIfPresent(folder + CONFIG, optionsFor(CONFIG)) : undefined;
  const hasFile = files !== undefined && Object.hasOwn(files, TEMPLATE);
  const file = hasFile ? new TextDecoder().decode(await download(folder + TEMPLATE, optionsFor(TEMPLATE))) : undefined;
  const chatTemplate = file ?? chatTemplateIn(tokenizerConfig);
  return { config: config ?? {}, marks: marksIn(tokenizerConfig), ...(chatTemplate !== undefined && { chatTemplate }) };
}

/** One template, or several by name, of which `default` is meant. */
export function chatTemplateIn(tokenizerConfig: object): string | undefined {
  const kept: unknown = Reflect.get(tokenizerConfig, 'chat_template');
  if (typeof kept === 'string') return kept;
  if (!Array.isArray(kept)) return undefined;
  const named: unknown = kept.find((each) => typeof each === 'object' && each?.name === 'default') ?? kept[0];
  const template: unknown = typeof named === 'object' && named !== null ? Reflect.get(named, 'template') : undefined;
  return typeof template === 'string' ? template : undefined;
}

/** A special token is a text, or an object with one. */
function marksIn(tokenizerConfig: object): Record<string, string> {
  const entries = ['bos_token', 'eos_token', 'unk_token', 'pad_token'].map((name) => {
    const kept: unknown = Reflect.get(tokenizerConfig, name);
    const text: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, 'content') : kept;
    return [name, typeof text === 'string' ? text : ''];
  });
  return Object.fromEntries(entries);
}
