import { isRecord } from '../../../src/contract/is-record.ts';
import { refuse } from '../refusal.ts';

/** Entries that the engine reads from a model's `config.json`; every entry may be missing. */
export interface NetworkConfig {
  readonly layers: number | undefined;
  readonly headSize: number | undefined;
  readonly contextTokens: number | undefined;
  /** The id in padding. */
  readonly paddingId: number | undefined;
}

/** Names of the same number in different model families. @source transformers, configuration_*.py */
const LAYERS = ['num_hidden_layers', 'n_layer', 'num_layers', 'n_layers'];
const CONTEXT = ['max_position_embeddings', 'n_positions', 'n_ctx', 'max_sequence_length', 'seq_length'];
const WIDTH = ['hidden_size', 'n_embd', 'd_model'];
const HEADS = ['num_attention_heads', 'n_head'];

/**
 * Reads a parsed `config.json`. A vision-language model's text part counts.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE naming an entry that is not a length, such as a context of 0
 */
export function readNetworkConfig(config: unknown): NetworkConfig {
  const entries = isRecord(config) ? config : {};
  const text = isRecord(entries['text_config']) ? entries['text_config'] : entries;
  const width = firstNumber(text, WIDTH);
  const heads = firstNumber(text, HEADS);
  return {
    layers: firstNumber(text, LAYERS),
    headSize: firstNumber(text, ['head_dim']) ?? (width !== undefined && heads ? width / heads : undefined),
    contextTokens: firstNumber(text, CONTEXT),
    paddingId: paddingIdOf(text['pad_token_id']),
  };
}

/** The first entry that is neither missing nor `null`. */
function firstNumber(entries: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined {
  const name = names.find((each) => entries[each] !== undefined && entries[each] !== null);
  const value = name === undefined ? undefined : entries[name];
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return value;
  return refuse(`config.json: ${name}: expected a whole number ≥ 1, got ${JSON.stringify(value)}`);
}

/** Models without padding say −1 or nothing. */
function paddingIdOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
