import { withAttentionOutput } from './attention-output.ts';
import { attendedBy, sumOverTokens } from '../measures/attended.ts';
import { codePointMap, type Span } from '../../src/contract/code-points.ts';
import type { Model } from '../../src/models/model.ts';
import type { FolderFiles } from '../../workers/engine/loading/model-files.ts';
import { readNetworkConfig } from '../../workers/engine/analysis/network-inputs.ts';
import { createTokenizer, type Tokenizer } from '../../workers/engine/loading/tokenizer.ts';
import type { Network } from '../../workers/engine/network.ts';
import { openNetwork, type OpenOptions } from '../../workers/engine/session/open-network.ts';

/** A passage, what follows it in the prompt, the text whose tokens are predicted, and the passage's words in code points. */
export interface AttentionTask {
  /** The same in each task of a worker. */
  readonly model: Model;
  readonly passage: string;
  readonly question: string;
  readonly target: string;
  readonly words: readonly Span[];
}

/** A network opened on WebAssembly whose last layer can be looked into. */
export interface RawAttention {
  /** Attention that the positions which predict the target pay to each of the passage's words, mean over heads and positions. */
  attentionTo(task: Omit<AttentionTask, 'model'>): Promise<number[]>;
  release(): Promise<void>;
}

/** Opens a folder's network with the last layer's attention as an output. */
export async function openRawAttention(
  { ort, threads }: Pick<OpenOptions, 'ort'> & { readonly threads: number },
  folder: FolderFiles,
): Promise<RawAttention> {
  const config = readNetworkConfig(folder.config);
  const { file, output } = withAttentionOutput(folder.files.model, config);
  const network = await openNetwork({
    ort,
    files: { ...folder.files, model: file },
    config,
    on: { kind: 'wasm' },
    backend: { kind: 'wasm', threads, reason: 'a baseline of the evaluation' },
  });
  const tokenizer = createTokenizer(folder.tokenizerJson, folder.tokenizerConfig);
  return { attentionTo: (task) => attentionTo(network, tokenizer, output, task), release: () => network.release() };
}

async function attentionTo(network: Network, tokenizer: Tokenizer, output: string, task: Omit<AttentionTask, 'model'>) {
  const [passage, question, target] = [task.passage, task.question, task.target].map(tokenizer.tokenize);
  if (!passage || !question || !target) throw new RangeError('expected a passage, a question and a target');
  const { prefix } = tokenizer;
  const ids = Int32Array.from([...prefix, ...passage.ids, ...question.ids, ...target.ids.slice(0, -1)]);
  const { outputs } = await network.run({ batch: 1, ids, outputs: [output] });
  const attention = outputs?.[output];
  if (!attention) throw new RangeError(`the network did not answer with ${output}`);
  const attended = attendedBy(attention.values, attention.dimensions, target.ids.length);
  const map = codePointMap(task.passage);
  return sumOverTokens(attended.subarray(prefix.length), passage.spans.map(map.toCodePoints), task.words);
}
