import type { ChatBody } from '../../contract/likelihood/chat.ts';
import type { CompleteBody } from '../../contract/likelihood/complete.ts';
import type { EmbedBody } from '../../contract/embed.ts';
import type { EvaluateBody } from '../../contract/likelihood/evaluate.ts';
import type { ExplainBody } from '../../contract/explain.ts';
import type { LensBody } from '../../contract/likelihood/lens.ts';
import type { PredictBody } from '../../contract/likelihood/predict.ts';
import type { QaBody } from '../../contract/qa.ts';
import type { BatchSemanticEmbedBody, SemanticEmbedBody } from '../../contract/semantic-embed.ts';
import { EXAMPLES } from '../explain/examples.ts';
import type { ApiRequest, ApiState, OperationName } from './api-store.ts';
import { prettyJson } from './folded-json.ts';

/** An operation and a request to start from. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** null for an operation without a body. */
  readonly example: object | null;
}

const TEXTS = ['Wolves live in packs.', 'A pack of wolves hunts together.', 'The train leaves at nine.'];

const EXPLAIN: Omit<ExplainBody, 'model'> = {
  prompt: EXAMPLES[0].prompt,
  target: EXAMPLES[0].target,
  prompt_granularity: { type: 'word' },
};
const COMPLETE: Omit<CompleteBody, 'model'> = {
  ...{ prompt: EXAMPLES[0].prompt, maximum_tokens: 16 },
  stop_sequences: ['\n'],
};
const CHAT: Omit<ChatBody, 'model'> = {
  messages: [{ role: 'user', content: TEXTS[0] ?? '' }],
  maximum_tokens: 16,
};
const EVALUATE: Omit<EvaluateBody, 'model'> = { prompt: EXAMPLES[0].prompt, completion_expected: EXAMPLES[0].target };
const PREDICT: Omit<PredictBody, 'model'> = { prompt: EXAMPLES[0].prompt, target: EXAMPLES[0].target };
const LENS: Omit<LensBody, 'model'> = { prompt: EXAMPLES[0].prompt, target: EXAMPLES[0].target };
const EMBED: Omit<EmbedBody, 'model'> = { prompt: 'An apple a day', layers: [-1], pooling: ['mean'], tokens: true };
const SEMANTIC: SemanticEmbedBody = { prompt: TEXTS[0] ?? '', representation: 'symmetric', compress_to_size: 128 };
const BATCH: BatchSemanticEmbedBody = { prompts: TEXTS, representation: 'symmetric', compress_to_size: 128 };
const QA: QaBody = { query: 'Who likes pizza?', documents: [{ text: 'Andreas likes pizza. Marta likes soup.' }] };

/** Every operation, with examples for the model of that name. */
export function operationsFor(model: string): Readonly<Record<OperationName, Operation>> {
  const post = (example: object): Operation => ({ method: 'POST', example });
  const get: Operation = { method: 'GET', example: null };
  return {
    explain: post({ model, ...EXPLAIN }),
    complete: post({ model, ...COMPLETE }),
    'chat/completions': post({ model, ...CHAT }),
    evaluate: post({ model, ...EVALUATE }),
    predict: post({ model, ...PREDICT }),
    lens: post({ model, ...LENS }),
    embed: post({ model, ...EMBED }),
    semantic_embed: post(SEMANTIC),
    batch_semantic_embed: post(BATCH),
    qa: post(QA),
    'model-settings': get,
    models_available: get,
    version: get,
    'openapi.json': get,
  };
}

/** What an operation needs to become a request. */
type Edited = Pick<ApiState, 'model' | 'operation' | 'bodies'>;

/** The body of the chosen operation, as edited; null for one that has none. */
export function bodyOf({ model, operation, bodies }: Edited): string | null {
  const { example } = operationsFor(model)[operation];
  return example && (bodies[operation] ?? prettyJson(example));
}

/** The chosen operation as a request. */
export function requestOf(edited: Edited): ApiRequest {
  const { operation, model } = edited;
  return { method: operationsFor(model)[operation].method, path: `/${operation}`, body: bodyOf(edited) };
}
