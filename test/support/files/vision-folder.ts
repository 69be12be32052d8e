import { readFileSync } from 'node:fs';
import type { DecoderSizes, DecoderWeights } from '../onnx/decoder-weights.ts';
import { buildDecoder, buildEmbedTokens } from '../onnx/decoder.ts';
import { buildVisionEncoder } from '../onnx/vision.ts';
import { PROCESSOR, VISION_SIZES, visionWeights, VLM_SIZES, vlmWeights } from '../onnx/vision-sizes.ts';

const TOKENIZER = new URL('../../../public/models/lightwell-base/', import.meta.url);

/** Where the model differs from the one of the tests of pictures. */
interface VisionOptions {
  readonly sizes?: DecoderSizes;
  readonly weights?: DecoderWeights;
  /** Further fields of `config.json`. */
  readonly config?: object;
  /** Files of the tokenizer; left out: those of the embedded model. */
  readonly tokenizer?: Readonly<Record<'tokenizer.json' | 'tokenizer_config.json', object>>;
}

/**
 * A vision-language model in the hub's layout, with random weights: bytes by name. A picture of 48 × 48 pixels gives 12 × 12
 * tokens.
 */
export function visionFolder(options: VisionOptions = {}): ReadonlyMap<string, Uint8Array> {
  const { sizes = VLM_SIZES, weights = vlmWeights, config = {}, tokenizer } = options;
  const { layers, width, heads, headSize, contextTokens, vocabulary } = sizes;
  const fileOf = (name: 'tokenizer.json' | 'tokenizer_config.json') =>
    [name, tokenizer ? json(tokenizer[name]) : readFileSync(new URL(name, TOKENIZER))] as const;
  const text = {
    num_hidden_layers: layers,
    hidden_size: width,
    num_attention_heads: heads,
    head_dim: headSize,
    max_position_embeddings: contextTokens,
    vocab_size: vocabulary,
  };
  const json = (value: object) => new TextEncoder().encode(JSON.stringify(value));
  return new Map<string, Uint8Array>([
    ['config.json', json({ ...config, text_config: text, vision_config: { image_size: VISION_SIZES.side } })],
    ['preprocessor_config.json', json(PROCESSOR)],
    fileOf('tokenizer.json'),
    fileOf('tokenizer_config.json'),
    ['onnx/decoder_model_merged.onnx', buildDecoder(sizes, weights, 'inputs_embeds')],
    ['onnx/embed_tokens.onnx', buildEmbedTokens(sizes, weights)],
    ['onnx/vision_encoder.onnx', buildVisionEncoder(VISION_SIZES, visionWeights)],
  ]);
}
