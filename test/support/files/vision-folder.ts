import { readFileSync } from 'node:fs';
import { buildDecoder, buildEmbedTokens } from '../onnx/decoder.ts';
import { buildVisionEncoder } from '../onnx/vision.ts';
import { PROCESSOR, VISION_SIZES, visionWeights, VLM_SIZES, vlmWeights } from '../onnx/vision-sizes.ts';

const TOKENIZER = new URL('../../../public/models/lightwell-base/', import.meta.url);

/**
 * A vision-language model in the hub's layout, with random weights and the embedded model's tokenizer: bytes by name.
 * A picture of 48 × 48 pixels gives 12 × 12 tokens.
 */
export function visionFolder(): ReadonlyMap<string, Uint8Array> {
  const { layers, width, heads, headSize, contextTokens, vocabulary } = VLM_SIZES;
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
    ['config.json', json({ text_config: text, vision_config: { image_size: VISION_SIZES.side } })],
    ['preprocessor_config.json', json(PROCESSOR)],
    ['tokenizer.json', readFileSync(new URL('tokenizer.json', TOKENIZER))],
    ['tokenizer_config.json', readFileSync(new URL('tokenizer_config.json', TOKENIZER))],
    ['onnx/decoder_model_merged.onnx', buildDecoder(VLM_SIZES, vlmWeights, 'inputs_embeds')],
    ['onnx/embed_tokens.onnx', buildEmbedTokens(VLM_SIZES, vlmWeights)],
    ['onnx/vision_encoder.onnx', buildVisionEncoder(VISION_SIZES, visionWeights)],
  ]);
}
