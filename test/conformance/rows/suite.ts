import { COMPLETE_ROWS } from './complete-rows.ts';
import { EMBED_ROWS } from './embed-rows.ts';
import { EVALUATE_ROWS } from './evaluate-rows.ts';
import { JSON_ROWS } from './json-rows.ts';
import { LENS_ROWS } from './lens-rows.ts';
import { PREDICT_ROWS } from './predict-rows.ts';
import { EXPLAIN_ROWS } from './explain/explain-rows.ts';
import { HOSTED_ROWS } from './hosted-rows.ts';
import { IMAGE_ROWS } from './image-rows.ts';
import { OPENAI_ROWS } from './openai-rows.ts';
import { NOT_SERVED_ROWS } from './not-served-rows.ts';
import { QA_ROWS } from './qa-rows.ts';
import { REFUSAL_ROWS } from './refusal-rows.ts';
import type { Row } from './row.ts';
import { SEMANTIC_EMBED_ROWS } from './semantic-embed-rows.ts';
import { SERVICE_ROWS } from './service-rows.ts';
import { STEERING_ROWS } from './steering-rows.ts';

/** The contract, row by row: what every transport must answer. */
export const SUITE: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'service', rows: SERVICE_ROWS },
  { title: 'POST /embed', rows: EMBED_ROWS },
  { title: 'POST /explain', rows: EXPLAIN_ROWS },
  { title: 'POST /evaluate', rows: EVALUATE_ROWS },
  { title: 'POST /complete', rows: COMPLETE_ROWS },
  { title: 'POST /predict', rows: PREDICT_ROWS },
  { title: 'POST /lens', rows: LENS_ROWS },
  { title: 'POST /steering_concepts', rows: STEERING_ROWS },
  { title: 'POST /batch_semantic_embed', rows: SEMANTIC_EMBED_ROWS },
  { title: 'POST /qa', rows: QA_ROWS },
  { title: 'smaller operations of the hosted service', rows: HOSTED_ROWS },
  { title: 'OpenAI routes', rows: OPENAI_ROWS },
  { title: 'response_format', rows: JSON_ROWS },
  { title: 'fields of other services', rows: NOT_SERVED_ROWS },
  { title: 'images', rows: IMAGE_ROWS },
  { title: 'bad input', rows: REFUSAL_ROWS },
];
