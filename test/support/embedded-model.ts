import { createTokenizer } from '../../workers/engine/tokenizer.ts';
import type { LoadedModel } from '../../workers/engine/engine.ts';
import { readNetworkConfig } from '../../workers/engine/network-config.ts';
import { openNetwork } from '../../workers/engine/open-network.ts';
import { fileBytes, place, testRuntime } from './onnx-place.ts';

/** The embedded model on WebAssembly, read from the repository. */
export async function openEmbeddedModel(): Promise<LoadedModel> {
  const folder = `${place.root}/public/models/lightwell-base`;
  const json = async (name: string): Promise<object> =>
    JSON.parse(new TextDecoder().decode(await fileBytes(`${folder}/${name}`)));
  const { ort, threads, threadReason } = await testRuntime();
  const network = await openNetwork({
    ort,
    files: { model: await fileBytes(`${folder}/onnx/model.onnx`), external: [] },
    config: readNetworkConfig(await json('config.json')),
    on: { kind: 'wasm' },
    backend: { kind: 'wasm', threads, reason: threadReason },
  });
  return { network, tokenizer: createTokenizer(await json('tokenizer.json'), await json('tokenizer_config.json')) };
}
