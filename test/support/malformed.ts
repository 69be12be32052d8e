/** The model that comes with the page. */
const MODEL = 'lightwell-base';

/** A body that must be refused, and how. */
export interface Malformed {
  readonly name: string;
  readonly path: '/embed' | '/explain' | '/steering_concepts';
  /** An object is sent as JSON, a string as it is. */
  readonly body: unknown;
  readonly status?: number;
  readonly code?: string;
  /** Where the message must say the fault lies; it stands at its beginning. */
  readonly at?: string;
}

const embed = { model: MODEL, prompt: 'An apple a day' };
const explain = { ...embed, target: ' keeps the doctor away' };

/** Makes rows that change one field of a good body. */
const changing =
  (path: Malformed['path'], good: object) =>
  (name: string, at: string, change: object, more: Partial<Malformed> = {}): Malformed => ({
    name,
    path,
    body: { ...good, ...change },
    at,
    ...more,
  });

const badEmbed = changing('/embed', embed);
const badExplain = changing('/explain', explain);

const pair = { positive: 'Good.', negative: 'Bad.' };
const badConcept = changing('/steering_concepts', { model: MODEL, examples: [pair] });
const steered = (steering_concepts: unknown) => ({ steering_concepts });

/** A prompt of one text item with one control. */
const control = (change: object): object => ({
  prompt: [{ type: 'text', data: 'An apple', controls: [{ start: 0, length: 2, factor: 0.5, ...change }] }],
});

const INVALID = { code: 'INVALID_REQUEST' };
/** A model that reads no pictures. */
const BLIND = { model: 'lightwell-embed' };
const MISSING = { code: 'MISSING_CAPABILITY' };
const TOO_LONG = { code: 'PROMPT_TOO_LONG' };
const DELIMITER = 'prompt_granularity.delimiter';

/** Bodies that do not fit, or fit and cannot be carried out. 400 `PAYLOAD_ERROR` where nothing else is said. */
export const MALFORMED: readonly Malformed[] = [
  { name: 'broken JSON', path: '/embed', body: '{"model":' },
  { name: 'an empty body', path: '/embed', body: '' },
  { name: 'null', path: '/embed', body: 'null' },
  { name: 'a list', path: '/explain', body: '[]' },
  { name: 'a string', path: '/explain', body: '"An apple"' },
  { name: 'nothing in it', path: '/embed', body: {}, at: 'model' },
  badEmbed('a number as model', 'model', { model: 5 }),
  badEmbed('no name as model', 'model', { model: '' }),
  badEmbed('no prompt', 'prompt', { prompt: undefined }),
  badEmbed('a number as prompt', 'prompt', { prompt: 7 }),
  badEmbed('null as prompt', 'prompt', { prompt: null }),
  badEmbed('an item outside a list', 'prompt', { prompt: { type: 'text', data: 'a' } }),
  badEmbed('an unknown item', 'prompt[0].type', { prompt: [{ type: 'video', data: 'a' }] }),
  badEmbed('a text item without text', 'prompt[0].data', { prompt: [{ type: 'text' }] }),
  badEmbed('token ids as text', 'prompt[0].data', { prompt: [{ type: 'token_ids', data: '1 2' }] }),
  badEmbed('half a token id', 'prompt[0].data[1]', { prompt: [{ type: 'token_ids', data: [1, 1.5] }] }),
  badEmbed('a negative token id', 'prompt[0].data[0]', { prompt: [{ type: 'token_ids', data: [-1] }] }),
  badEmbed('a factor in words', 'prompt[0].controls[0].factor', control({ factor: 'high' })),
  badEmbed('a negative factor', 'prompt[0].controls[0].factor', control({ factor: -1 })),
  badEmbed('a negative start', 'prompt[0].controls[0].start', control({ start: -1 })),
  badEmbed('a control without length', 'prompt[0].controls[0].length', control({ length: undefined })),
  badEmbed('a layer by name', 'layers', { layers: 'last' }),
  badEmbed('half a layer', 'layers[1]', { layers: [0, 0.5] }),
  badEmbed('a layer out of range', 'layers[0]', { layers: [99] }, INVALID),
  badEmbed('an unknown pooling', 'pooling[1]', { pooling: ['mean', 'median'] }),
  badEmbed('a pooling outside a list', 'pooling', { pooling: 'mean' }),
  badEmbed('yes as normalize', 'normalize', { normalize: 'yes' }),
  badEmbed('a number as a switch', 'control_log_additive', { control_log_additive: 1 }),
  badEmbed('a threshold in words', 'contextual_control_threshold', { contextual_control_threshold: 'high' }),
  badEmbed('a foreign operator', 'hosting', { hosting: 'elsewhere' }),
  badExplain('no target', 'target', { target: undefined }),
  badExplain('a number as target', 'target', { target: 5 }),
  badExplain('a negative control factor', 'control_factor', { control_factor: -0.1 }),
  badExplain('an unknown postprocessing', 'postprocessing', { postprocessing: 'cube' }),
  badExplain('a granularity by name', 'prompt_granularity', { prompt_granularity: 'token' }),
  badExplain('an unknown granularity', 'prompt_granularity.type', { prompt_granularity: { type: 'syllable' } }),
  badExplain('an unknown target granularity', 'target_granularity', { target_granularity: 'word' }),
  badExplain('an unknown overlap', 'control_token_overlap', { control_token_overlap: 'full' }),
  badExplain('an unknown model', 'model', { model: 'no-such-model' }, { status: 404, code: 'UNKNOWN_MODEL' }),
  { name: 'NaN', path: '/explain', body: '{"model":"lightwell-base","prompt":"a","target":"b","control_factor":NaN}' },
  {
    name: 'a factor beyond all numbers',
    path: '/explain',
    body: '{"model":"lightwell-base","prompt":"a","target":"b","control_factor":1e999}',
    at: 'control_factor',
  },
  badEmbed('an empty prompt', 'prompt', { prompt: '' }, INVALID),
  badEmbed('no items', 'prompt', { prompt: [] }, INVALID),
  badEmbed(
    'an id beyond the vocabulary',
    'prompt[0].data[0]',
    { prompt: [{ type: 'token_ids', data: [1e6] }] },
    INVALID,
  ),
  badEmbed('a control beyond its item', 'prompt[0].controls[0]', control({ start: 5, length: 99 }), INVALID),
  badEmbed('a token too many', 'prompt', { prompt: [{ type: 'token_ids', data: Array(1025).fill(300) }] }, TOO_LONG),
  badEmbed('1 MB of text', 'prompt[0].data', { prompt: 'word '.repeat(2e5) }, TOO_LONG),
  badEmbed('an image', 'prompt[0]', { ...BLIND, prompt: [{ type: 'image', data: 'AAAA' }] }, MISSING),
  // As text, because a lone surrogate would not survive the way into the page.
  {
    ...INVALID,
    name: 'a lone surrogate',
    path: '/embed',
    body: `{"model":"${MODEL}","prompt":"a\\ud800"}`,
    at: 'prompt[0].data',
  },
  badExplain('null as target', 'target', { target: null }),
  badExplain('an empty target', 'target', { target: '' }, INVALID),
  badExplain('a text as concepts', 'steering_concepts', steered('a')),
  badExplain('a number as concept', 'steering_concepts[0]', steered([7])),
  badExplain('a concept without a name', 'steering_concepts[0]', steered([''])),
  badExplain('a text as strength', 'steering_concepts[0].strength', steered([{ id: 'a', strength: '1' }])),
  badExplain('a strength beyond all use', 'steering_concepts[0].strength', steered([{ id: 'a', strength: 101 }])),
  {
    name: 'a strength beyond all numbers',
    path: '/explain',
    body: `{"model":"${MODEL}","prompt":"a","target":"b","steering_concepts":[{"id":"a","strength":-1e999}]}`,
    at: 'steering_concepts[0].strength',
  },
  badExplain('too many concepts', 'steering_concepts', steered(Array(17).fill('a'))),
  badExplain('an unknown concept', 'steering_concepts[0]', steered(['a']), INVALID),
  badConcept('no examples', 'examples', { examples: [] }),
  badConcept('too many examples', 'examples', { examples: Array.from({ length: 201 }, () => pair) }),
  badConcept('an example without a side', 'examples[0].negative', { examples: [{ positive: 'Good.' }] }),
  badConcept('an empty example', 'examples[1].positive', { examples: [pair, { ...pair, positive: '' }] }, INVALID),
  badConcept(
    'an example too long',
    'examples[0].negative',
    { examples: [{ ...pair, negative: 'word '.repeat(2e4) }] },
    TOO_LONG,
  ),
  badConcept('layer 0', 'layer', { layer: 0 }),
  badConcept('a layer beyond the last', 'layer', { layer: 99 }, INVALID),
  badExplain('custom without delimiter', DELIMITER, { prompt_granularity: { type: 'custom' } }, INVALID),
  badExplain('an empty delimiter', DELIMITER, { prompt_granularity: { type: 'custom', delimiter: '' } }, INVALID),
];

/** The path stands first, and whole: `prompt` must not pass for `prompt[0].type`. */
export function startsWith(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.[\]]/g, String.raw`\$&`)}:? `);
}
