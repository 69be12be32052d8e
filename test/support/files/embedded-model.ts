import { createTokenizer } from '../../../workers/engine/loading/tokenizer.ts';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';
import { embeddedFiles } from './embedded-files.ts';
import { fileBytes, place, testRuntime } from '../onnx/place.ts';

/** An embedded model on WebAssembly, read from the repository. */
export async function openEmbeddedModel(name = 'lightwell-base'): Promise<LoadedModel> {
  const folder = `${place.root}/public/models/${name}/`;
  const json = async (file: string): Promise<object> =>
    JSON.parse(new TextDecoder().decode(await fileBytes(`${folder}${file}`)));
  const { ort, threads, threadReason } = await testRuntime();
  const { config, ...files } = await embeddedFiles(folder);
  const network = await openNetwork({
    ort,
    files,
    config: readNetworkConfig(config),
    on: { kind: 'wasm' },
    backend: { kind: 'wasm', threads, reason: threadReason },
  });
  const sentenceConfig = await json('config_sentence_transformers.json').catch(() => undefined);
  return {
    network,
    config,
    ...(sentenceConfig && { sentenceConfig }),
    tokenizer: createTokenizer(await json('tokenizer.json'), await json('tokenizer_config.json')),
  };
}
