/** Configuration of a small LFM2 as its exporter wrote it, 160 words: convolution state, which no rewriting keeps. */
export const LFM2 = {
  model_type: 'lfm2',
  num_hidden_layers: 3,
  hidden_size: 64,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  layer_types: ['conv', 'full_attention', 'conv'],
};

/** Configuration of a small T5 as its exporter wrote it, 128 words: an encoder and a decoder. */
export const T5 = {
  model_type: 't5',
  is_encoder_decoder: true,
  d_model: 64,
  d_kv: 16,
  num_heads: 4,
  num_layers: 3,
  num_decoder_layers: 3,
  decoder_start_token_id: 0,
  eos_token_id: 1,
};
