/**
 * A tokenizer that knows the words `w3`, `w4`, … and three marks, for networks with a small vocabulary.
 *
 * @param size    ids
 * @param ending  whether texts end with `</s>`, the id 1
 */
export function wordTokenizer(size: number, ending: boolean): object {
  const marks = ['<pad>', '</s>', '<unk>'];
  const words = Array.from({ length: size }, (_, id) => marks[id] ?? `w${id}`);
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const end = { SpecialToken: { id: '</s>', type_id: 0 } };
  return {
    version: '1.0',
    added_tokens: marks.map((content, id) => ({ id, content, ...special })),
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A', type_id: 0 } }, ...(ending ? [end] : [])],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: { '</s>': { id: '</s>', ids: [1], tokens: ['</s>'] } },
    },
    decoder: null,
    model: { type: 'WordLevel', unk_token: '<unk>', vocab: Object.fromEntries(words.map((word, id) => [word, id])) },
  };
}
