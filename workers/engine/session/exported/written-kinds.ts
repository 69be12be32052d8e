/**
 * Kinds of network, as `config.json` names them in `model_type`, whose state transformers.js carries from token to token. They are
 * listed here so that nothing large is loaded to tell; a test compares them with the library.
 *
 * @source transformers.js 4.3.1, models/registry.js: MODEL_FOR_CAUSAL_LM_MAPPING_NAMES. Left out are kinds that take embeddings or
 *   several graphs.
 */
export const WRITING_DECODERS: ReadonlySet<string> = new Set([
  ...['bloom', 'gpt2', 'gpt_oss', 'jais', 'gptj', 'gpt_bigcode', 'gpt_neo', 'gpt_neox', 'codegen', 'llama', 'nanochat'],
  ...['apertus', 'llama4_text', 'arcee', 'afmoe', 'lfm2', 'lfm2_moe', 'smollm3', 'exaone', 'olmo', 'olmo2', 'olmo3'],
  ...['olmo_hybrid', 'mobilellm', 'granite', 'granitemoehybrid', 'cohere', 'cohere2', 'gemma', 'gemma2', 'vaultgemma'],
  ...['gemma3_text', 'helium', 'glm', 'glm_moe_dsa', 'openelm', 'qwen2', 'qwen2_moe', 'qwen3', 'qwen3_moe'],
  ...['qwen3_next', 'qwen3_5_text', 'phi', 'phi3', 'mpt', 'opt', 'mistral', 'mistral4', 'ministral', 'ministral3'],
  ...['ernie4_5', 'starcoder2', 'deepseek_v3', 'deepseek_v4', 'falcon', 'falcon_h1', 'nemotron_h', 'solar_open'],
  ...['stablelm', 'modernbert-decoder', 'hunyuan_v1_dense', 'youtu', 'zaya', 'hrm_text'],
]);

/** The same for networks that read with an encoder and write with a decoder. @source MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES */
export const WRITING_PAIRS: ReadonlySet<string> = new Set([
  ...['t5', 'longt5', 'mt5', 'bart', 'mbart', 'marian', 'm2m_100', 'blenderbot', 'blenderbot-small'],
]);

/** What `config.json` says the network is; '' where it does not. */
export function kindOf(config: object): string {
  const kind: unknown = Reflect.get(config, 'model_type');
  return typeof kind === 'string' ? kind : '';
}

/** Whether a text is read by one graph and written by another. */
export function isPair(config: object): boolean {
  return Reflect.get(config, 'is_encoder_decoder') === true && WRITING_PAIRS.has(kindOf(config));
}
