import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../../../../../workers/engine/loading/tokenizer.ts';
import { fakeTokenizer } from '../../../../support/fakes/fake-model.ts';

describe('a byte-level tokenizer', () => {
  const tokenizer = fakeTokenizer();

  it('returns any well-formed text, byte for byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { ids } = tokenizer.tokenize(text);
        const shown = ids.map((id) => tokenizer.show(id)).join('');
        if (!shown.includes('\uFFFD')) expect(shown).toBe(text);
        expect(ids.every((id) => id >= 0 && id < tokenizer.vocabulary)).toBe(true);
      }),
    );
  });

  it.each(['An apple a day', 'Zürich 汶川 😀!', 'a\n\n b\tc  d', '<|endoftext|> as text', '\0'])(
    'leaves no part of %j outside the spans but single spaces',
    (text) => {
      const { spans } = tokenizer.tokenize(text);
      const covered = new Set(spans.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i)));
      const gaps = Array.from(text, (_, i) => i).filter((i) => i < text.length && !covered.has(i));
      expect(gaps.every((i) => text[i] === ' ' || text[i] === undefined)).toBe(true);
    },
  );

  it('keeps the leading space of the first token only', () => {
    const text = ' one two';
    const { spans } = tokenizer.tokenize(text);
    expect(spans[0]?.start).toBe(0);
    expect(spans.slice(1).some(({ start }) => text[start] === ' ')).toBe(false);
  });

  it('reads ids back as the text and spans they came from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const tokenized = tokenizer.tokenize(text);
        if (!text.includes('\uFFFD')) expect(tokenizer.read(tokenized.ids)).toEqual(tokenized);
      }),
    );
  });

  it('reads ids that are no text one by one', () => {
    const { ids } = tokenizer.tokenize('a😀');
    const { text, spans } = tokenizer.read(ids.slice(0, -1)); // a part of the character is missing
    expect(text).toMatch(/^a\uFFFD+$/);
    expect(spans.map(({ start, length }) => text.slice(start, start + length)).join('')).toBe(text);
  });

  it('puts nothing around a pair where the model expects nothing', () => {
    expect(tokenizer.pair([5, 6], [7])).toEqual({ ids: [5, 6, 7], segments: [0, 0, 1], second: 2 });
  });

  it('knows how long its pieces can be', () => {
    expect(tokenizer.longestPiece).toBeGreaterThan(3);
    expect(tokenizer.vocabulary).toBe(4096);
  });
});

describe('a tokenizer that adds special tokens', () => {
  const json = {
    version: '1.0',
    added_tokens: [
      { id: 0, content: '<s>', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
    ],
    normalizer: null,
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [],
      special_tokens: { '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] } },
    },
    decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: true },
    model: {
      type: 'BPE',
      unk_token: null,
      vocab: { '<s>': 0, '▁': 1, a: 2, b: 3, '▁a': 4, '▁b': 5 },
      merges: ['▁ a', '▁ b'],
    },
  };
  const tokenizer = createTokenizer(json, {});

  it('names what comes in front of every text', () => expect(tokenizer.prefix).toEqual([0]));

  it('finds the tokens of a marked text', () => {
    const { ids, spans } = tokenizer.tokenize('a b');
    expect(ids).toEqual([4, 5]);
    expect(spans).toEqual([
      { start: 0, length: 1 },
      { start: 2, length: 1 },
    ]);
    expect(ids.map((id) => tokenizer.show(id))).toEqual([' a', ' b']);
  });
});

describe('pairs of texts', () => {
  const special = (id: string, number: number) => ({ [id]: { id, ids: [number], tokens: [id] } });
  const withTemplate = (pair: readonly object[], single: readonly object[]) =>
    createTokenizer(
      {
        normalizer: null,
        pre_tokenizer: { type: 'Whitespace' },
        added_tokens: [],
        post_processor: {
          type: 'TemplateProcessing',
          single,
          pair,
          special_tokens: { ...special('[CLS]', 1), ...special('[SEP]', 2) },
        },
        decoder: null,
        model: {
          type: 'WordPiece',
          unk_token: '[UNK]',
          vocab: { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, a: 3, b: 4, c: 5 },
        },
      },
      {},
    );
  const mark = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const text = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  const single = [mark('[CLS]', 0), text('A', 0), mark('[SEP]', 0)];

  it('are framed as BERT wants them, the second text its own segment', () => {
    const template = [...single, text('B', 1), mark('[SEP]', 1)];
    expect(withTemplate(template, single).pair([3, 4], [5])).toEqual({
      ids: [1, 3, 4, 2, 5, 2],
      segments: [0, 0, 0, 0, 1, 1],
      second: 4,
    });
  });

  it('are framed as RoBERTa wants them, with two marks between', () => {
    const template = [...single, mark('[SEP]', 0), text('B', 0), mark('[SEP]', 0)];
    expect(withTemplate(template, single).pair([3], [4, 5])).toMatchObject({ ids: [1, 3, 2, 2, 4, 5, 2], second: 4 });
  });
});

describe('a tokenizer that falls back to bytes', () => {
  const vocab = Object.fromEntries(['<unk>', '▁a', '<0x0A>', '<0xC3>', '<0xA9>', '▁'].map((piece, id) => [piece, id]));
  const json = {
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    model: { type: 'BPE', vocab, merges: [], byte_fallback: true, unk_token: '<unk>' },
    decoder: { type: 'Sequence', decoders: [{ type: 'Metaspace' }, { type: 'ByteFallback' }] },
  };
  const { show, read } = createTokenizer(json, {});

  it('reads the bytes as the characters that they make up', () => {
    expect(show(2)).toBe('\n');
    expect(read([1, 3, 4, 2]).text).toBe(' aé\n');
    expect(show(3)).toBe('\uFFFD');
  });
});
