import type { Model } from '../../../src/models/model.ts';
import { downloadJsonIfPresent, type DownloadOptions } from './download.ts';

/** What a folder says of writing, as transformers keeps it. */
export interface GenerationFiles {
  /** `generation_config.json`, parsed: the ids with which a text may end. */
  readonly config: object;
}

const CONFIG = 'generation_config.json';

/**
 * Downloads it for a model that writes, where it may be there: a browser's console shows every 404.
 *
 * @returns undefined where the folder has none
 * @throws  as `download`
 */
export async function loadGenerationFiles(
  { folder, files, capabilities }: Model,
  optionsFor: (path: string) => DownloadOptions,
): Promise<GenerationFiles | undefined> {
  if (!capabilities.includes('explain')) return undefined;
  if (files !== undefined && !Object.hasOwn(files, CONFIG)) return undefined;
  const config = await downloadJsonIfPresent(folder + CONFIG, optionsFor(CONFIG));
  return config && { config };
}
