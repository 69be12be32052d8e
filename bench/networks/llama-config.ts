import type { DecoderSizes } from '../../test/support/onnx/decoder-weights.ts';

/** `config.json` of a decoder of `test/support/onnx/decoder.ts`, as the hub has it for a Llama. */
export function llamaConfig(sizes: DecoderSizes) {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    bos_token_id: 0,
    eos_token_id: 0,
    pad_token_id: 0,
    num_hidden_layers: sizes.layers,
    hidden_size: sizes.width,
    num_attention_heads: sizes.heads,
    num_key_value_heads: sizes.keyHeads,
    head_dim: sizes.headSize,
    intermediate_size: sizes.innerWidth,
    vocab_size: sizes.vocabulary,
    max_position_embeddings: sizes.contextTokens,
  };
}
