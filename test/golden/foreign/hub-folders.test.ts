import { describe, expect, it } from 'vitest';
import { casesHere, fileBytes, fileBytesIfPresent, place, testRuntime } from '../../support/onnx/place.ts';
import { firstModel, QUIET, textPrompt } from '../../support/fakes/jobs.ts';
import { measured } from '../measured.ts';
import type { Representation } from '../../../src/contract/embed.ts';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { createTokenizer } from '../../../workers/engine/loading/tokenizer.ts';
import { readSentenceModules } from '../../../workers/engine/loading/sentence-modules.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';
import { deviceHere } from '../../support/onnx/original.ts';
import { semanticEmbed } from '../../../workers/operations/semantic-embed.ts';

/** What `make-hub-folders.py` notes of a folder. */
interface Expected {
  readonly texts: readonly string[];
  readonly vectors: Readonly<Partial<Record<Representation, readonly (readonly number[])[]>>>;
}

const FOLDERS = [
  'Xenova/all-MiniLM-L6-v2',
  'avsolatorio/NoInstruct-small-Embedding-v0',
  'sentence-transformers/all-mpnet-base-v2',
  'Supabase/gte-small',
];
const LIMIT = 1e-4;

const table = measured("Hub folders against Python's sentence-transformers, random weights");
const root = `${place.data}/hub-made`;
const parsed = (bytes: Uint8Array): object => JSON.parse(new TextDecoder().decode(bytes));
const isMade = place.hasHubFolders;

if (!isMade) console.log('Skipped, hub folders: make-hub-folders.py makes them in ../shared/data/hub-made');

/** The folder as it is loaded, without a server in between. */
async function opened(folder: string): Promise<LoadedModel> {
  const json = async (path: string) => parsed(await fileBytes(`${folder}/${path}`));
  const jsonIfPresent = async (path: string) => {
    const bytes = await fileBytesIfPresent(`${folder}/${path}`);
    return bytes && parsed(bytes);
  };
  const config = await json('config.json');
  const { ort, threads, threadReason } = await testRuntime();
  const network = await openNetwork({
    ort,
    files: { model: await fileBytes(`${folder}/onnx/model.onnx`), external: [] },
    config: readNetworkConfig(config),
    on: await deviceHere(),
    backend: { kind: place.backend, threads, reason: threadReason },
  });
  const sentenceModules = await readSentenceModules({
    json: jsonIfPresent,
    bytes: (path) => fileBytes(`${folder}/${path}`),
  });
  const sentenceConfig = await jsonIfPresent('config_sentence_transformers.json');
  const tokenizer = createTokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
  return {
    network,
    config,
    tokenizer,
    ...(sentenceModules && { sentenceModules }),
    ...(sentenceConfig && { sentenceConfig }),
  };
}

// The reason is printed above.
describe.skipIf(!isMade).each(casesHere(FOLDERS, 1))('%s', (name) => {
  it('gives the vectors of sentence-transformers', async () => {
    const { texts, vectors } = parsed(await fileBytes(`${root}/${name}/expected.json`)) as Expected;
    const model = await opened(`${root}/${name}`);
    for (const [representation, expected] of Object.entries(vectors)) {
      const job = {
        model: firstModel(),
        representation: representation as Representation,
        normalize: true,
        prompts: texts.map((text) => textPrompt(text)),
        control_log_additive: true,
      };
      const { vectors: found } = await semanticEmbed(job, model, QUIET);
      expect(found).toHaveLength(texts.length);
      expected.forEach((vector, i) => table.within(`${name}: ${representation}`, found[i], vector, LIMIT));
    }
    await model.network.release();
  });
});
