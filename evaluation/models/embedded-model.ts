import { createCatalogue, embeddedModels } from '../../src/models/catalogue.ts';
import type { Model } from '../../src/models/model.ts';
import { downloadJson } from '../../workers/engine/loading/download.ts';
import { createTokenizer, type Tokenizer } from '../../workers/engine/loading/tokenizer.ts';

/** The decoder, as requests name it. */
export const DECODER = 'lightwell-base';

/** The reader, as requests name it. */
export const READER = 'lightwell-reader';

/** A model that ships with the app. @throws {RangeError} for an unknown name */
export function embeddedModel(name: string): Model {
  const model = createCatalogue(embeddedModels(new URL('/models/', self.location.origin).href)).find(name);
  if (!model) throw new RangeError(`expected the name of an embedded model, got "${name}"`);
  return model;
}

/** SHA-256 of the file that holds an embedded model's network. @throws {RangeError} for an unknown name */
export function digestOf(name: string): string {
  const files = Object.entries(embeddedModel(name).files ?? {});
  const digest = files.find(([path]) => /^onnx\/(decoder_)?model/.test(path))?.[1].sha256;
  if (digest === undefined) throw new RangeError(`expected a model whose network has a digest, got "${name}"`);
  return digest;
}

/** The tokenizer of an embedded model: baselines count and score the very tokens that the model does. */
export async function loadTokenizer(name: string): Promise<Tokenizer> {
  const { folder, files } = embeddedModel(name);
  const json = (file: string) => downloadJson(folder + file, { onBytes: () => undefined, expected: files?.[file] });
  return createTokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
}
