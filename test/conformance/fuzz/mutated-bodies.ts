import fc from 'fast-check';
import { base64Of, encodePng } from '../../support/files/png.ts';

/** A body to start from, that is answered 200, and where it is sent. */
export interface Seed {
  readonly path: string;
  readonly body: object;
}

const PICTURE = base64Of(encodePng(32, 32, () => [215, 35, 40]));

const controls = [{ start: 3, length: 5, factor: 0.1, token_overlap: 'partial' }];
const prompt = [
  { type: 'text', data: 'An apple a day', controls },
  { type: 'token_ids', data: [300, 12], controls: [{ index: 0, factor: 2 }] },
];
const shared = {
  hosting: null,
  normalize: false,
  contextual_control_threshold: null,
  control_log_additive: true,
};

/** One for each operation with a body. */
export const SEEDS: readonly Seed[] = [
  {
    path: '/embed',
    body: {
      model: 'lightwell-base',
      prompt,
      layers: [0, -1],
      pooling: ['mean', 'max'],
      tokens: true,
      type: null,
      ...shared,
    },
  },
  {
    path: '/explain',
    body: {
      model: 'lightwell-base',
      prompt,
      target: ' keeps away',
      control_factor: 0.1,
      postprocessing: 'none',
      prompt_granularity: { type: 'custom', delimiter: ' ' },
      target_granularity: 'token',
      control_token_overlap: 'complete',
      ...shared,
    },
  },
  {
    path: '/complete',
    body: {
      model: 'lightwell-base',
      prompt,
      maximum_tokens: 3,
      temperature: 0.7,
      top_k: 9,
      top_p: 0.9,
      seed: 1,
      n: 1,
      best_of: 2,
      log_probs: 1,
      tokens: true,
      echo: true,
      stop_sequences: ['.'],
      logit_bias: { 5: 1 },
      presence_penalty: 0.5,
      sequence_penalty: 0.5,
      completion_bias_exclusion: ['zebra'],
      ...shared,
    },
  },
  {
    path: '/complete',
    body: {
      model: 'lightwell-base',
      prompt,
      maximum_tokens: 2,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          strict: true,
          schema: {
            type: 'object',
            properties: { a: { type: 'string', pattern: '^a+$', maxLength: 3 }, b: { $ref: '#/$defs/b' } },
            required: ['a'],
            additionalProperties: { anyOf: [{ type: 'integer', minimum: 0 }, { enum: [null] }] },
            $defs: { b: { type: 'array', items: { type: 'boolean' }, minItems: 1 } },
          },
        },
      },
    },
  },
  { path: '/complete/json', body: { model: 'lightwell-base', prompt, maximum_tokens: 2, ...shared } },
  { path: '/lens', body: { model: 'lightwell-base', prompt, target: ' keeps away', positions: 2, ...shared } },
  { path: '/predict', body: { model: 'lightwell-base', prompt, target: ' keeps away', maximum_tokens: 2, ...shared } },
  { path: '/evaluate', body: { model: 'lightwell-base', prompt, completion_expected: ' keeps away', ...shared } },
  { path: '/semantic_embed', body: { prompt, representation: 'query', compress_to_size: 128, ...shared } },
  {
    path: '/batch_semantic_embed',
    body: { model: null, prompts: ['Rome', prompt], representation: 'symmetric', compress_to_size: null, ...shared },
  },
  { path: '/rerank', body: { model: 'lightwell-embed', query: 'Rome', documents: ['Oslo', 'Rome'], top_n: 1 } },
  { path: '/tokenize', body: { model: 'lightwell-base', prompt: 'An apple a day', tokens: true, token_ids: true } },
  { path: '/detokenize', body: { model: 'lightwell-base', token_ids: [300, 12] } },
  {
    path: '/steering_concepts',
    body: { model: 'lightwell-base', examples: [{ positive: 'Good.', negative: 'Bad.' }], layer: 1 },
  },
  {
    path: '/instructable_embed',
    body: { model: 'lightwell-embed', input: prompt, instruction: 'Sort by fruit.', ...shared },
  },
  {
    path: '/v1/completions',
    body: {
      model: 'lightwell-base',
      prompt: ['An apple a day', 'Rome'],
      max_tokens: 2,
      temperature: 0.7,
      top_p: 0.9,
      seed: 1,
      best_of: 2,
      echo: true,
      logprobs: 2,
      prompt_logprobs: 1,
      stop: ['.'],
      logit_bias: { 5: 1 },
      frequency_penalty: 0.5,
    },
  },
  {
    path: '/v1/chat/completions',
    body: {
      model: 'lightwell-base',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'An apple a day' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}`, detail: 'auto' } },
          ],
        },
      ],
      max_completion_tokens: 2,
      logprobs: true,
      top_logprobs: 1,
      n: 2,
      response_format: { type: 'text' },
    },
  },
  {
    path: '/v1/embeddings',
    body: { model: 'lightwell-embed', input: ['Rome', 'Oslo'], dimensions: 4, encoding_format: 'base64' },
  },
  { path: '/v1/explanations', body: { model: 'lightwell-base', prompt, target: ' keeps away', ...shared } },
  {
    path: '/qa',
    body: {
      hosting: null,
      query: 'Who likes Pizza?',
      max_answers: 3,
      documents: [
        { text: 'Andreas likes Pizza.' },
        { prompt: [{ type: 'text', data: 'Berta too.' }] },
        { docx: 'UEsDBA==' },
      ],
    },
  },
];

/** What a value may be replaced by: other types, borders, text that breaks tokenizers. */
const replacement = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 3, arbitrary: fc.constantFrom(null, true, '', 'mean', 'text', 'image', [], {}, [[]], [null]) },
  { weight: 3, arbitrary: fc.constantFrom(-1, 0, 0.5, 1, 101, 1e9, 1e308, -1e308, 5e-324, 2 ** 53) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom('\ud800', '\0', '\u202e\u0301', '🍎'.repeat(9), 'word '.repeat(300)) },
);

/** Where in a body, as a fraction of its places, and what is done there. */
const mutation = fc.record({
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  kind: fc.constantFrom('replace', 'remove', 'repeat', 'add'),
  value: replacement,
});
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

/** A body as it is sent. */
export interface MutatedBody {
  readonly path: string;
  readonly body: string;
}

/** Bodies that were good before one to three changes; now and then the text itself is cut or spoilt. */
export function mutatedBodyOf(seeds: readonly Seed[]): fc.Arbitrary<MutatedBody> {
  return fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.record({ at: fc.nat(400), text: fc.string({ maxLength: 3 }) }) },
      ),
    )
    .map(([{ path, body }, mutations, damage]) => {
      const copy: unknown = structuredClone(body);
      for (const each of mutations) mutate(copy, each);
      const text = JSON.stringify(copy);
      return { path, body: damage ? text.slice(0, damage.at) + damage.text + text.slice(damage.at + 1) : text };
    });
}

type Parent = Record<string, unknown> | unknown[];

/** Every place in a tree: its parent and its key there. */
function placesOf(value: unknown): { parent: Parent; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Parent; // a plain JSON tree
  return Object.entries(parent).flatMap(([key, child]) => [{ parent, key }, ...placesOf(child)]);
}

function mutate(body: unknown, { place, kind, value }: Mutation): void {
  const places = placesOf(body);
  const chosen = places[Math.floor(place * places.length)];
  if (!chosen) return;
  const { parent, key } = chosen;
  if (Array.isArray(parent)) {
    const index = Number(key);
    if (kind === 'remove') parent.splice(index, 1);
    else if (kind === 'repeat') parent.push(...new Array<unknown>(20).fill(structuredClone(parent[index])));
    else parent.splice(index, kind === 'add' ? 0 : 1, value);
  } else if (kind === 'remove') delete parent[key];
  else parent[kind === 'add' ? `${key}_` : key] = kind === 'repeat' ? [parent[key], parent[key]] : value;
}
