import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { heatDataOf } from '../../../src/figures/elements/heat-data.ts';
import { readScores } from '../../../src/formats/read-scores.ts';
import type { ReadScores } from '../../../src/formats/readers.ts';

/** What a library wrote, and the scores by its own functions. @param name  of a file that `make.py` writes */
function fixture(name: string) {
  return JSON.parse(readFileSync(new URL(`../../support/figures/foreign/${name}.json`, import.meta.url), 'utf8'));
}

/** The text of each section, and its score, of each target. */
function sections({ text, scores }: ReadScores): (readonly [string, number])[][] {
  const characters = Array.from(text);
  return scores.map((list) =>
    list.map(({ start, length, score }) => [characters.slice(start, start + length).join(''), score] as const),
  );
}

const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((a, b) => a + (b ?? 0), 0);

/** Sums of the numbers of tokens that have the bytes of one character. */
const grouped = (row: readonly (number | null)[], runs: readonly (readonly [number, number])[]) =>
  runs.reduceRight<(number | null)[]>(
    (left, [from, to]) => left.toSpliced(from, to - from, sum(left.slice(from, to))),
    [...row],
  );

/** Tokens of `ë` and of the cat in the text of the fixtures. */
const CHARACTERS = [
  [2, 4],
  [6, 10],
] as const;

describe('readScores', () => {
  it.each(['captum', 'inseq', 'shap', 'lime', 'context-cite', 'at2', 'neuronpedia'])('reads what %s writes', (name) => {
    const { value, expected } = fixture(name);
    const read = readScores(value);
    if (name !== 'neuronpedia') expect(read.text).toBe(expected.text);
    expect(read.targets).toEqual(expected.targets);
    expect(read.scores).toHaveLength(expected.scores.length);
    const { influence } = heatDataOf(read.text, read.scores, read.targets);
    expect(influence.prompt.length, 'the element draws them').toBeGreaterThan(2);
  });

  it.each(['captum', 'inseq'])('keeps the scores of %s, and adds up those of one character', (name) => {
    const { value, expected } = fixture(name);
    const read = readScores(value);
    read.scores.forEach((list, target) => {
      const scores = grouped(expected.scores[target], CHARACTERS).filter((score) => score !== null);
      expect(list).toHaveLength(scores.length);
      list.forEach(({ score }, at) => expect(score).toBeCloseTo(scores[at] ?? NaN, 6));
    });
    const [words = []] = sections(read);
    expect(words.slice(0, 7).map(([word]) => word)).toEqual(['Z', 'o', 'ë', "'s", ' ', '🐈', 'sleep']);
  });

  it('reads source and target of a translation by inseq', () => {
    const { value, expected } = fixture('inseq-translation');
    const read = readScores(value);
    expect(read.text).toBe('Zoë sleeps.\n<|endoftext|>Zoë schläft.');
    const names = ['Z', 'o', 'Ã', 'ë', ' sch', 'l', 'Ã', 'ä', 'ft', '.'];
    expect(read.targets, 'a token with a part of a character has the name of the vocabulary').toEqual(names);
    read.scores.forEach((list, at) =>
      expect(sum(list.map(({ score }) => score))).toBeCloseTo(sum(expected.scores[at]), 6),
    );
    const [, , , fourth = []] = sections(read);
    const [ofSource, ofStart] = [expected.scores[3].slice(0, 2), expected.scores[3][7]];
    expect(fourth.slice(0, 2)).toEqual([
      ['Z', expect.closeTo(ofSource[0], 6)],
      ['o', expect.closeTo(ofSource[1], 6)],
    ]);
    expect(fourth[6]).toEqual(['<|endoftext|>', expect.closeTo(ofStart, 6)]);
    expect(fourth, 'later tokens of the target have no scores').toHaveLength(10);
  });

  it('keeps the scores of shap, and its text with a character for each token', () => {
    const { value, expected } = fixture('shap');
    const read = readScores(value);
    expect(read.scores.map((list) => list.map(({ score }) => score))).toEqual(expected.scores);
    const [words = []] = sections(read);
    expect(words.slice(2, 5).map(([word]) => word)).toEqual(['ë', 'ë', "'s"]);
  });

  it('reads shap with one output, named or not', () => {
    const value = { data: ['a ', 'b'], values: [1, -2] };
    const scores = [
      [
        { start: 0, length: 2, score: 1 },
        { start: 2, length: 1, score: -2 },
      ],
    ];
    expect(readScores(value)).toEqual({ text: 'a b', scores, targets: [], unit: 'share' });
    expect(readScores({ ...value, output_names: 'yes' })).toEqual({
      text: 'a b',
      scores,
      targets: ['yes'],
      unit: 'share',
    });
  });

  it('gives the weight of lime to every place of a word, and to no part of another', () => {
    const { value, expected } = fixture('lime');
    const read = readScores(value);
    expected.scores.forEach((list: [string, number[], number][], target: number) => {
      const places = list.flatMap(([word, starts, score]) =>
        starts.map((start) => ({ start, length: Array.from(word).length, score })),
      );
      expect(read.scores[target]).toEqual(places);
    });
    expect(readScores({ text: 'a b', as_list: [['b', 2]] })).toEqual({
      text: 'a b',
      scores: [[{ start: 2, length: 1, score: 2 }]],
      targets: [],
      unit: 'share',
    });
  });

  it('finds the sources of context-cite', () => {
    const { value, expected } = fixture('context-cite');
    const [list = []] = sections(readScores(value));
    const byPlace = ['Paris is the capital of France.', "Zoë's 🐈 sleeps.", 'It never rains.'];
    expect(new Map(list)).toEqual(new Map(byPlace.map((source, at) => [source, expected.scores[0][at]])));
  });

  it('finds the sources of AT2 in their order, and adds up those of one character', () => {
    const { value, expected } = fixture('at2');
    const [list = []] = sections(readScores(value));
    expect(list.slice(7, 14).map(([word]) => word)).toEqual(['Z', 'o', 'ë', "'s", ' ', '🐈', 'sleep']);
    expect(list[12]?.[1]).toBeCloseTo(sum(expected.scores[0].slice(13, 17)), 6);
    expect(sum(list.map(([, score]) => score))).toBeCloseTo(sum(expected.scores[0]), 6);
  });

  it('computes the shares of tokens in a graph of Neuronpedia as its library does', () => {
    const { value, expected } = fixture('neuronpedia');
    const read = readScores(value);
    expect(read.text).toBe(value.metadata.prompt_tokens.join(''));
    read.scores.forEach((list, target) => {
      expect(list).toHaveLength(expected.scores[target].length);
      list.forEach(({ score }, at) => expect(score).toBeCloseTo(expected.scores[target][at], 5));
    });
  });

  it('reads a record of Lightwell, with the other sign for a factor above 1', () => {
    const scores = [{ start: 0, length: 1, score: 2 }];
    const explanation = (target: string) => ({
      target,
      items: [
        { type: 'text', scores },
        { type: 'target', scores: [] },
      ],
    });
    const response = { model_version: 'm', explanations: [explanation(' yes'), explanation('!')] };
    const record = { lightwell_record: 1, request: { prompt: 'a 🐈', target: ' yes!' }, response };
    expect(readScores(record)).toEqual({
      text: 'a 🐈',
      scores: [scores, scores],
      targets: [' yes', '!'],
      unit: 'nats',
    });
    const request = { prompt: [{ type: 'text', data: 'a' }], control_factor: 2 };
    expect(readScores({ request, response }).scores[0]).toEqual([{ start: 0, length: 1, score: -2 }]);
    const byDeletion = { request, response: { ...response, requests: 16 } };
    expect(readScores(byDeletion)).toMatchObject({ scores: [scores, scores], unit: 'nats' });
  });

  it.each([{ postprocessing: 'absolute' }, { postprocessing: 'square' }, { normalize: true }])(
    'reads scores that Lightwell has processed, %j, as shares without another sign',
    (processed) => {
      const scores = [{ start: 0, length: 1, score: 0.5 }];
      const response = { explanations: [{ target: 't', items: [{ type: 'text', scores }] }] };
      const read = readScores({ request: { prompt: 'a', control_factor: 2, ...processed }, response });
      expect(read).toEqual({ text: 'a', scores: [scores], targets: ['t'], unit: 'share' });
    },
  );

  it('sums the tokens of captum where it has scores of the whole target only', () => {
    const value = {
      input_tokens: ['play', '##ing', 'chess'],
      output_tokens: ['a', 'b'],
      seq_attr: [1, 2, 3],
      token_attr: null,
    };
    const read = readScores(value);
    expect(read).toMatchObject({ text: 'playing chess', targets: ['ab'] });
    expect(sections(read)).toEqual([
      [
        ['play', 1],
        ['ing', 2],
        ['chess', 3],
      ],
    ]);
  });

  const graph = {
    metadata: { prompt_tokens: ['a', 'b'] },
    nodes: [
      { node_id: 'L', feature_type: 'logit', ctx_idx: 1 },
      { node_id: 'E', feature_type: 'embedding', ctx_idx: 1 },
    ],
    links: [{ source: 'E', target: 'L', weight: -2 }],
  };
  const captum = { input_tokens: ['a', 'b'], output_tokens: ['c'], seq_attr: [1, 2] };
  it.each([
    ['a list', [1], /^scores: expected an object with request and response, or input_tokens and .*, got \[1\]$/],
    ['another object', { tokens: [] }, /^scores: expected an object with .*, got \{"tokens":\[\]\}$/],
    ['a short list', { ...captum, seq_attr: [1] }, 'seq_attr: expected a list of 2, got one of 1'],
    ['a text for a number', { ...captum, seq_attr: [1, 'x'] }, 'seq_attr[1]: expected a finite number, got "x"'],
    ['no token', { ...captum, input_tokens: [] }, 'tokens: expected a text, got none'],
    ['several rows', { data: [['a']], values: [[1]] }, 'data[0]: expected a text, got ["a"]'],
    [
      'a word that is none',
      { text: 'cat', as_list: [['at', 1]] },
      'as_list[0][0]: expected a word of the text, got "at"',
    ],
    [
      'a word with two weights',
      {
        text: 'a a',
        as_list: [
          ['a', 1],
          ['a', 2],
        ],
      },
      'as_list[1][0]: expected each text once, got "a"',
    ],
    [
      'a source in two places',
      { context: 'Yes. Yes.', attributions: [{ Source: 'Yes.', Score: 1 }] },
      'attributions[0].Source: expected a source that is in the context once, got "Yes."',
    ],
    [
      'a source out of order',
      { text: 'a b', sources: ['b', 'a'], scores: [1, 2] },
      'sources[0]: expected what follows in the text, got "b"',
    ],
    [
      'a graph without logits',
      { ...graph, nodes: graph.nodes.slice(1) },
      /^nodes: expected a node with the feature_type logit, got /,
    ],
    [
      'a graph with a circle',
      { ...graph, links: [...graph.links, { source: 'L', target: 'E', weight: 1 }] },
      'links: expected ways of at most 1000 links, got a circle',
    ],
    [
      'a token that is none',
      { ...graph, metadata: { prompt_tokens: ['a'] } },
      'E.ctx_idx: expected the place of a token, got 1',
    ],
    [
      'a prompt with a picture',
      { request: { prompt: [{ type: 'image' }] }, response: {} },
      'request.prompt: expected a text, got [{"type":"image"}]',
    ],
  ])('refuses %s', (_what, value, message) => {
    expect(() => readScores(value)).toThrow(RangeError);
    expect(() => readScores(value)).toThrow(message);
  });

  it('refuses a file of inseq that is damaged or not aggregated', () => {
    const change = (change: (fields: Record<string, unknown>) => void) => {
      const { value } = fixture('inseq');
      change(value.attributes.sequence_attributions[0].attributes);
      return () => readScores(value);
    };
    expect(change((fields) => void (fields['target_attributions'] = '%'))).toThrow(
      'target_attributions: expected base64, got "%"',
    );
    expect(change((fields) => void (fields['target_attributions'] = btoa('{}')))).toThrow(
      'target_attributions is not a safetensors file, or is damaged: it has 2 bytes',
    );
    expect(change((fields) => void (fields['attr_pos_end'] = 23))).toThrow(
      'target_attributions: expected 24 × 1 floats, as aggregate() makes them, got [24,2]',
    );
  });
});
