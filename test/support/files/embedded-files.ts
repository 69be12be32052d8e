import type { ModelFiles } from '../../../workers/engine/session/session.ts';
import { fileBytes } from '../onnx/place.ts';

/**
 * The network of an embedded model: one file, or a decoder and its table of word embeddings where the model reads
 * pictures too.
 *
 * @param folder  its path, ending in a slash
 */
export async function embeddedFiles(folder: string): Promise<ModelFiles & { readonly config: object }> {
  const config: object = JSON.parse(new TextDecoder().decode(await fileBytes(`${folder}config.json`)));
  const graph = async (name: string) => ({ model: await fileBytes(`${folder}onnx/${name}.onnx`), external: [] });
  if (!('vision_config' in config)) return { ...(await graph('model')), config };
  return { ...(await graph('decoder_model_merged')), embedTokens: await graph('embed_tokens'), config };
}
