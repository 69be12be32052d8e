import { addsByDefault } from '../../client/ask.ts';
import type { Client } from '../../client/client.ts';
import { EXAMPLES } from '../../explanations/examples.ts';
import { prettyJson } from '../../parts/folded-json.ts';
import type { ApiState, OperationName } from './api-store.ts';

/** An operation and its example. */
interface ApiOperation {
  readonly method: 'GET' | 'POST';
  /** null for an operation without a body. */
  readonly example: object | null;
}

/** Body of an operation of the client. */
type Body<Name extends Exclude<keyof Client, 'modelSettings'>> = Parameters<Client[Name]>[0];

const TEXTS = ['Wolves live in packs.', 'A pack of wolves hunts together.', 'The train leaves at nine.'] as const;

/** Of the embedded models, the one for semantic embeddings. */
const EMBEDDER = 'lightwell-embed';

const [{ prompt, target }] = EXAMPLES;

/** Every operation, with an example for this model. */
export function operationsFor(model: string): Readonly<Record<OperationName, ApiOperation>> {
  const post = <Body extends object>(example: Body): ApiOperation => ({ method: 'POST', example });
  const get: ApiOperation = { method: 'GET', example: null };
  const messages = [{ role: 'user' as const, content: TEXTS[0] }];
  const documents = [{ text: 'Andreas likes pizza. Marta likes soup.' }];
  return {
    explain: post<Body<'explain'>>({
      model,
      prompt,
      target,
      prompt_granularity: { type: 'word' },
      control_log_additive: addsByDefault(0.1), // as the Explain page asks; the default of the API is true
    }),
    complete: post<Body<'complete'>>({ model, prompt, maximum_tokens: 16, stop_sequences: ['\n'] }),
    'chat/completions': post<Body<'chat'>>({ model, messages, maximum_tokens: 16 }),
    evaluate: post<Body<'evaluate'>>({ model, prompt, completion_expected: target }),
    predict: post<Body<'predict'>>({ model, prompt, target }),
    lens: post<Body<'lens'>>({ model, prompt, target }),
    embed: post<Body<'embed'>>({ model, prompt: 'An apple a day', layers: [-1], pooling: ['mean'], tokens: true }),
    semantic_embed: post<Body<'semanticEmbed'>>({
      prompt: TEXTS[0],
      representation: 'symmetric',
      compress_to_size: 128,
    }),
    batch_semantic_embed: post<Body<'batchSemanticEmbed'>>({
      prompts: [...TEXTS],
      representation: 'symmetric',
      compress_to_size: 128,
    }),
    instructable_embed: post({ model: EMBEDDER, input: TEXTS[0], instruction: 'Sort by animal.' }),
    embeddings: post({ model: EMBEDDER, input: [...TEXTS], dimensions: 128 }),
    rerank: post({ model: EMBEDDER, query: 'How do wolves hunt?', documents: [...TEXTS] }),
    tokenize: post({ model, prompt: TEXTS[0], tokens: true, token_ids: true }),
    detokenize: post({ model, token_ids: [300, 12, 45] }),
    qa: post<Body<'qa'>>({ query: 'Who likes pizza?', documents }),
    'model-settings': get,
    models_available: get,
    version: get,
    'openapi.json': get,
  };
}

type Edited = Pick<ApiState, 'model' | 'operation' | 'bodies'>;

/** The chosen operation as a request; its body as edited, null if it has none. */
export function apiRequestOf({ model, operation, bodies }: Edited): Parameters<ApiState['send']>[0] {
  const { method, example } = operationsFor(model)[operation];
  return { method, path: `/${operation}`, body: example && (bodies[operation] ?? prettyJson(example)) };
}
