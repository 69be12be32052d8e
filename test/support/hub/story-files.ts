import { buildDecoder } from '../onnx/decoder.ts';
import { readPieces, readTrainedDecoder } from '../onnx/llama2c-weights.ts';

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** The marks that llama2.c keeps under other texts. */
const MARKS = ['<unk>', '<s>', '</s>'];

/** The two files of a story teller of llama2.c. */
export interface TrainedFiles {
  readonly weights: Uint8Array<ArrayBuffer>;
  readonly pieces: Uint8Array<ArrayBuffer>;
}

/**
 * A story teller of llama2.c, trained by others, in the hub's layout: its graph, its configuration, and its tokenizer as
 * transformers writes those of Llama.
 *
 * @returns files by their paths in the folder
 */
export function storyFiles({ weights, pieces }: TrainedFiles): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const decoder = readTrainedDecoder(weights);
  const { layers, width, heads, keyHeads, vocabulary, contextTokens } = decoder.sizes;
  return new Map([
    [
      'config.json',
      json({
        model_type: 'llama',
        architectures: ['LlamaForCausalLM'],
        bos_token_id: 1,
        eos_token_id: 2,
        num_hidden_layers: layers,
        hidden_size: width,
        num_attention_heads: heads,
        num_key_value_heads: keyHeads,
        vocab_size: vocabulary,
        max_position_embeddings: contextTokens,
      }),
    ],
    ['tokenizer.json', json(tokenizerOf(readPieces(pieces)))],
    ['tokenizer_config.json', json({ tokenizer_class: 'LlamaTokenizer', bos_token: '<s>', eos_token: '</s>' })],
    ['onnx/model.onnx', buildDecoder(decoder.sizes, decoder.weights)],
  ]);
}

/** @source transformers, convert_slow_tokenizer.py: a piece is merged from each pair of pieces that makes it, early pieces first */
function tokenizerOf(texts: readonly string[]): object {
  const pieces = texts.map((text, id) => MARKS[id] ?? text.replaceAll(' ', '▁'));
  const vocab = Object.fromEntries(pieces.map((piece, id) => [piece, id]));
  const merges = pieces.slice(MARKS.length).flatMap((piece) => {
    const letters = [...piece];
    const splits = letters.slice(1).map((_, at) => [letters.slice(0, at + 1).join(''), letters.slice(at + 1).join('')]);
    return splits.filter(([left = '', right = '']) => Object.hasOwn(vocab, left) && Object.hasOwn(vocab, right));
  });
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return {
    version: '1.0',
    added_tokens: MARKS.map((content, id) => ({ id, content, ...special })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } },
    },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      fuse_unk: true,
      byte_fallback: true,
      ignore_merges: false,
      vocab,
      merges,
    },
  };
}
