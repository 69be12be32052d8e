import { docx, paragraph } from '../../support/files/docx.ts';
import { base64Of, encodePng } from '../../support/files/png.ts';
import type { Asked } from './faults.ts';

const image = {
  type: 'image',
  data: base64Of(encodePng(64, 64, (x, y) => (x < 30 && y < 30 ? [215, 35, 40] : [20, 35, 70]))),
};
const shows = { type: 'text', data: 'Question: Where is the square?\nAnswer:' };
const model = 'lightwell-base';
const text = 'The baker opened the shop before dawn. Warm bread filled the window.';
const likes = 'Andreas likes Pizza.';
const file = docx(paragraph(likes) + paragraph('Berta built the lighthouse in 1911.'));

function asked(path: string, body: object, accept = 'application/json'): Asked {
  return { path, body: JSON.stringify(body), accept };
}

/** Every operation of the service that runs a model, with each kind of input that it takes. */
export const OPERATIONS = {
  embed: asked('/embed', { model, prompt: text, layers: [0, -1], pooling: ['mean', 'max'] }),
  'embed a picture': asked('/embed', { model, prompt: [image, shows], layers: [-1], pooling: ['mean'] }),
  explain: asked('/explain', { model, prompt: text, target: ' Then', prompt_granularity: { type: 'word' } }),
  'explain a picture': asked('/explain', {
    model,
    prompt: [image, shows],
    target: ' at',
    prompt_granularity: { type: 'paragraph' },
  }),
  'explain, streamed': asked(
    '/explain',
    { model, prompt: text, target: ' Then', prompt_granularity: { type: 'sentence' } },
    'application/x-ndjson',
  ),
  'explain within a budget': asked('/explain?budget=0.3', {
    model,
    prompt: text,
    target: ' Then',
    prompt_granularity: { type: 'word' },
  }),
  complete: asked('/complete', { model, prompt: text, maximum_tokens: 6, log_probs: 1 }),
  predict: asked('/predict', { model, prompt: text, target: ' Then', maximum_tokens: 4 }),
  lens: asked('/lens', { model, prompt: text, target: ' Then' }),
  evaluate: asked('/evaluate', { model, prompt: text, completion_expected: ' Then the children came.' }),
  'evaluate a picture': asked('/evaluate', { model, prompt: [image, shows], completion_expected: ' at the top' }),
  semantic_embed: asked('/semantic_embed', { prompt: text, representation: 'query', compress_to_size: 128 }),
  batch_semantic_embed: asked('/batch_semantic_embed', { prompts: [text, likes], representation: 'symmetric' }),
  qa: asked('/qa', { query: 'Who likes Pizza?', documents: [{ text: likes }, { text }] }),
  'qa on a document': asked('/qa', { query: 'Who likes Pizza?', documents: [{ docx: file }] }),
} as const satisfies Readonly<Record<string, Asked>>;

export type Operation = keyof typeof OPERATIONS;

/** One for each model with all files beside it, those that are loaded when first needed among them. */
export const FIRST_OPERATIONS: readonly Operation[] = ['embed a picture', 'semantic_embed', 'qa on a document'];
