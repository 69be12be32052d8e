import { readFileSync } from 'node:fs';
import { docx, paragraph } from '../support/files/docx.ts';

const model = 'lightwell-base';

/** A file beside this one, in base64. */
const pictureFile = (name: string) => readFileSync(new URL(`pictures/${name}`, import.meta.url)).toString('base64');

/** A request whose answer every browser must give alike. */
export interface Request {
  readonly path: string;
  readonly body: object;
}

export const EMBED: Request = { path: '/embed', body: { model, prompt: 'An apple a day', tokens: true } };

export const EMBEDDINGS: Readonly<Record<string, Request>> = {
  'of a text': EMBED,
  'of a meaning': { path: '/semantic_embed', body: { prompt: 'An apple a day', representation: 'symmetric' } },
};

export const EXPLAIN: Request = {
  path: '/explain',
  body: {
    model,
    prompt: 'I am a programmer and French. My favourite food is',
    target: ' pizza with cheese',
    prompt_granularity: { type: 'token' },
  },
};

/** Requests whose code the worker loads when it is first asked for. */
export const LATER: Readonly<Record<string, Request>> = {
  'within a budget': { ...EXPLAIN, path: '/explain?budget=0.25' },
  'beside a foil': { ...EXPLAIN, body: { ...EXPLAIN.body, foil: ' a house' } },
  'of a text that goes on': {
    path: '/complete',
    body: { model, prompt: 'An apple a day keeps the', maximum_tokens: 8 },
  },
  'of each layer': { path: '/lens', body: { model, prompt: 'An apple a day keeps the doctor', target: ' away.' } },
};

/** Explanations over the tiles of pictures: transparency and a gamma of 1, a rotation that the camera noted, WebP. */
export const PICTURES: Readonly<Record<string, Request>> = Object.fromEntries(
  ['linear.png', 'turned.jpg', 'lossy.webp'].map((name) => [name, explanationOf(pictureFile(name))]),
);

function explanationOf(data: string): Request {
  const prompt = [
    { type: 'image', data },
    { type: 'text', data: 'Question: What is red?\nAnswer:' },
  ];
  const prompt_granularity = { type: 'sentence' };
  return { path: '/explain', body: { model, prompt, target: ' a circle', prompt_granularity } };
}

const FACT = 'The lighthouse at Port Ellery was built by Ottilie Brandt.';
const query = 'Who built the lighthouse at Port Ellery?';

/** Questions on a text, and on a Docx file with the same text. */
export const QUESTIONS: Readonly<Record<string, Request>> = {
  'on a text': { path: '/qa', body: { query, documents: [{ text: FACT }] } },
  'on a Docx file': { path: '/qa', body: { query, documents: [{ docx: docx(paragraph(FACT)) }] } },
};
