import { describe, expect, it } from 'vitest';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';

describe('readNetworkConfig', () => {
  it.each([
    [
      'Llama',
      { num_hidden_layers: 4, hidden_size: 64, num_attention_heads: 4, max_position_embeddings: 128 },
      [4, 16, 128],
    ],
    ['GPT-2', { n_layer: 2, n_embd: 12, n_head: 3, n_positions: 99 }, [2, 4, 99]],
    ['a head size of its own', { hidden_size: 64, num_attention_heads: 4, head_dim: 32 }, [undefined, 32, undefined]],
    ['a vision-language model', { text_config: { num_hidden_layers: 7 }, hidden_size: 1 }, [7, undefined, undefined]],
    ['nothing', null, [undefined, undefined, undefined]],
    ['null for none', { num_hidden_layers: null, n_layer: 2, pad_token_id: null }, [2, undefined, undefined]],
  ])('reads %s', (_, config, [layers, headSize, contextTokens]) => {
    expect(readNetworkConfig(config)).toEqual({ layers, headSize, contextTokens, paddingId: undefined });
  });

  it.each([
    [1, 1],
    [-1, undefined],
  ])('reads padding id %s', (id, paddingId) => {
    expect(readNetworkConfig({ pad_token_id: id })).toMatchObject({ paddingId });
  });

  it.each([
    [{ max_position_embeddings: 0 }, 'config.json: max_position_embeddings: expected a whole number ≥ 1, got 0'],
    [{ n_ctx: -5 }, 'config.json: n_ctx: expected a whole number ≥ 1, got -5'],
    [{ num_hidden_layers: 'four' }, 'config.json: num_hidden_layers: expected a whole number ≥ 1, got "four"'],
    [{ text_config: { head_dim: 1.5 } }, 'config.json: head_dim: expected a whole number ≥ 1, got 1.5'],
  ])('refuses %j', (config, reason) => {
    expect(() => readNetworkConfig(config)).toThrow(reason);
  });
});
