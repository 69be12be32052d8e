import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visionFolder } from '../../support/files/vision-folder.ts';
import { randomWeights } from '../../support/onnx/decoder-weights.ts';
import { VLM_SIZES } from '../../support/onnx/vision-sizes.ts';

const CHAT = '{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant:';

/** A tokenizer of GPT-2's kind, as OpenAI published it. */
export interface Gpt2Files {
  /** Ids by token: `encoder.json`. */
  readonly vocabulary: Readonly<Record<string, number>>;
  /** `vocab.bpe`: a line about its version, then pairs of tokens. */
  readonly merges: string;
}

/**
 * Writes two models with random weights and GPT-2's tokenizer, which read pictures: `plain`, and `chat` with a chat template.
 * The vocabulary is about as large as that of the hosted service's models, so that token ids of its client's tests exist.
 */
export function writeHostedModels(root: string, { vocabulary, merges }: Gpt2Files): void {
  const sizes = { ...VLM_SIZES, vocabulary: Object.keys(vocabulary).length, contextTokens: 1024 };
  const files = (config: object) =>
    visionFolder({
      sizes,
      weights: randomWeights(sizes, 31),
      config: { bos_token_id: vocabulary['<|endoftext|>'] },
      tokenizer: { 'tokenizer.json': tokenizerOf(vocabulary, merges), 'tokenizer_config.json': config },
    });
  const config = { tokenizer_class: 'GPT2Tokenizer', eos_token: '<|endoftext|>', bos_token: '<|endoftext|>' };
  writeFiles(join(root, 'plain'), files(config));
  writeFiles(join(root, 'chat'), files({ ...config, chat_template: CHAT }));
}

function tokenizerOf(vocab: Gpt2Files['vocabulary'], merges: string): object {
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  const marks = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    version: '1.0',
    added_tokens: [{ id: vocab['<|endoftext|>'], content: '<|endoftext|>', ...marks }],
    normalizer: null,
    pre_tokenizer: bytes,
    post_processor: null,
    decoder: bytes,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab,
      merges: merges.trim().split('\n').slice(1),
    },
  };
}

function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}
