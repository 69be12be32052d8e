/**
 * Values of `model_type` in `config.json` for which transformers.js generates text with one graph. They are listed here so
 * that the library need not be loaded to decide; a test compares them with it.
 *
 * @source transformers.js 4.3.1, models/registry.js: MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, without models that are fed embeddings
 *   or need several graphs
 */
export const DECODER_TYPES: ReadonlySet<string> = new Set(
  (
    'bloom gpt2 gpt_oss jais gptj gpt_bigcode gpt_neo gpt_neox codegen llama nanochat apertus llama4_text arcee afmoe lfm2 ' +
    'lfm2_moe smollm3 exaone olmo olmo2 olmo3 olmo_hybrid mobilellm granite granitemoehybrid cohere cohere2 gemma gemma2 ' +
    'vaultgemma gemma3_text helium glm glm_moe_dsa openelm qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next qwen3_5_text phi phi3 ' +
    'mpt opt mistral mistral4 ministral ministral3 ernie4_5 starcoder2 deepseek_v3 deepseek_v4 falcon falcon_h1 nemotron_h ' +
    'solar_open stablelm modernbert-decoder hunyuan_v1_dense youtu zaya hrm_text'
  ).split(' '),
);

/** The same for networks with an encoder and a decoder. @source MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES */
export const ENCODER_DECODER_TYPES: ReadonlySet<string> = new Set(
  't5 longt5 mt5 bart mbart marian m2m_100 blenderbot blenderbot-small'.split(' '),
);

/** The `model_type` of `config.json`; '' where it has none. */
export function modelTypeOf(config: object): string {
  const type: unknown = Reflect.get(config, 'model_type');
  return typeof type === 'string' ? type : '';
}

/** Whether transformers.js reads a text with one graph and generates with another. */
export function isEncoderDecoder(config: object): boolean {
  return Reflect.get(config, 'is_encoder_decoder') === true && ENCODER_DECODER_TYPES.has(modelTypeOf(config));
}
