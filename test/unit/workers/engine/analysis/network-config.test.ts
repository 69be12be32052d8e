import { describe, expect, it } from 'vitest';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-config.ts';

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
    ['values of the wrong kind', { num_hidden_layers: 'four' }, [undefined, undefined, undefined]],
  ])('reads %s', (_, config, [layers, headSize, contextTokens]) => {
    expect(readNetworkConfig(config)).toEqual({ layers, headSize, contextTokens });
  });
});
