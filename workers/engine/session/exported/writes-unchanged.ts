import { decodeModel } from '../../codec/model-proto.ts';
import { isPair, kindOf, WRITING_DECODERS } from './written-kinds.ts';

/** Inputs that transformers.js feeds to a decoder. @source transformers.js 4.3.1, models/modeling_utils.js, decoder_forward */
const FED =
  /^(input_ids|attention_mask|position_ids|num_logits_to_keep|use_cache_branch|encoder_hidden_states|encoder_attention_mask|past_.+)$/;

/**
 * Whether a network that cannot be rewritten still writes as it was exported, told by its configuration and its graph.
 *
 * @param graph  the decoder's graph, with or without its weights
 */
export function writesUnchanged(graph: Uint8Array, config: object): boolean {
  const { inputs, outputs } = decodeModel(graph);
  const ids = inputs.find(({ name }) => name === 'input_ids');
  if (!ids || typeof ids.dimensions?.[1] === 'number') return false;
  if (!outputs.some(({ name }) => name === 'logits') || !inputs.every(({ name }) => FED.test(name))) return false;
  return inputs.some(({ name }) => name === 'encoder_hidden_states')
    ? isPair(config)
    : WRITING_DECODERS.has(kindOf(config));
}
