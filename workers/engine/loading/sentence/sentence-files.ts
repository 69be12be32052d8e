import type { Model } from '../../../../src/models/model.ts';
import { download, downloadJsonIfPresent, downloadValueIfPresent, type DownloadOptions } from '../download.ts';
import { readSentenceModules, type SentenceModules } from './sentence-modules.ts';

/** What a folder says of semantic embeddings, as sentence-transformers keep it. */
export interface SentenceFiles {
  /** `config_sentence_transformers.json`: the prompts. */
  readonly sentenceConfig?: object;
  /** `modules.json` and what it names: the pooling. */
  readonly sentenceModules?: SentenceModules;
}

const CONFIG = 'config_sentence_transformers.json';

/**
 * Downloads them. A folder need not have them, and they are asked for only where they can matter and may be there: a
 * browser's console shows every 404.
 *
 * @throws as `download` and `readSentenceModules`
 */
export async function loadSentenceFiles(
  { folder, files, capabilities }: Model,
  optionsFor: (path: string) => DownloadOptions,
): Promise<SentenceFiles> {
  if (!capabilities.includes('semantic_embed')) return {};
  const mayHave = (path: string) => files === undefined || Object.hasOwn(files, path);
  const sentenceModules = await readSentenceModules({
    json: async (path) => (mayHave(path) ? downloadValueIfPresent(folder + path, optionsFor(path)) : undefined),
    bytes: (path) => download(folder + path, optionsFor(path)),
  });
  const sentenceConfig = mayHave(CONFIG) ? await downloadJsonIfPresent(folder + CONFIG, optionsFor(CONFIG)) : undefined;
  return { ...(sentenceConfig && { sentenceConfig }), ...(sentenceModules && { sentenceModules }) };
}
