/**
 * A call of an official OpenAI client, as data: the JavaScript and the Python client read the same table. A call with `stream` is made
 * without it too, and both must have the same texts, reasons and usage.
 */
export interface Call {
  readonly name: string;
  readonly method: 'models' | 'model' | 'completions' | 'chat' | 'embeddings' | 'explanations';
  readonly args: Readonly<Record<string, unknown>>;
  /** What the result has at some paths, such as `choices.0.finish_reason`; `length` is that of a list or a text. */
  readonly gives?: Readonly<Record<string, unknown>>;
  /** How it is refused. */
  readonly refused?: { readonly status: number; readonly code: string; readonly param?: string };
  /** Aborted after the first piece of its stream, or, without a stream, at once. */
  readonly isAborted?: boolean;
  /** Sent with another key. */
  readonly apiKey?: string;
}

/** Of the model that answers dialogues; it refuses a late system message. */
export const TEMPLATE =
  "{% for message in messages %}{% if message.role == 'system' and not loop.first %}{{ raise_exception('system comes first') }}{% endif %}" +
  '{{ message.role }}: {{ message.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}';

const MODEL = 'lightwell-base';
const PROMPT = 'An apple a day keeps the doctor';
const IDS = [300, 12, 45];

type Given = Partial<Omit<Call, 'name' | 'method' | 'args'>>;
const making =
  (method: Call['method'], base: object) =>
  (name: string, args: object, given: Given = {}): Call => ({ name, method, args: { ...base, ...args }, ...given });

const complete = making('completions', { model: MODEL, prompt: PROMPT, max_tokens: 4, temperature: 0 });
const messages = [{ role: 'user', content: PROMPT }];
const chat = making('chat', { model: MODEL, messages, max_tokens: 4, temperature: 0 });
const embed = making('embeddings', { model: 'lightwell-embed', input: 'Rome' });
const explain = making('explanations', { model: MODEL, prompt: PROMPT, target: ' away' });

const refusedField = (param: string, code = 'payload_error'): Given => ({ refused: { status: 400, code, param } });
const invalidField = (param: string): Given => refusedField(param, 'invalid_request');

const formatOf = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } });

const MODELS: readonly Call[] = [
  { name: 'models are listed', method: 'models', args: {}, gives: { 'data.0.object': 'model', 'data.0.id': MODEL } },
  { name: 'a model is found by its name', method: 'model', args: { model: MODEL }, gives: { id: MODEL, created: 0 } },
  {
    name: 'an unknown model is not found',
    method: 'model',
    args: { model: 'nobody/nothing' },
    refused: { status: 404, code: 'model_not_found', param: 'model' },
  },
  {
    name: 'a wrong key lists no models',
    method: 'models',
    args: {},
    apiKey: 'wrong',
    refused: { status: 401, code: 'invalid_api_key' },
  },
];

const COMPLETIONS: readonly Call[] = [
  complete('a text is continued', {}, { gives: { object: 'text_completion', 'usage.completion_tokens': 4 } }),
  complete('a continuation ends at its limit', {}, { gives: { 'choices.0.finish_reason': 'length' } }),
  complete(
    '16 tokens are the limit where none is set',
    { max_tokens: null },
    { gives: { 'usage.completion_tokens': 16 } },
  ),
  complete('token ids are continued', { prompt: IDS }, { gives: { 'usage.prompt_tokens': 3 } }),
  complete('several texts are continued', { prompt: [PROMPT, 'Rome'] }, { gives: { 'choices.length': 2 } }),
  complete('several lists of ids are continued', { prompt: [IDS, [7]] }, { gives: { 'usage.prompt_tokens': 4 } }),
  complete(
    'n choices are made of each text',
    { prompt: ['Rome', 'Oslo'], n: 3 },
    { gives: { 'choices.length': 6, 'choices.5.index': 5 } },
  ),
  complete('a list of one text is one prompt', { prompt: ['Rome'] }, { gives: { 'choices.length': 1 } }),
  complete('nothing begins a text', { prompt: '' }, { gives: { 'usage.prompt_tokens': 0 } }),
  complete('a prompt that is null begins a text', { prompt: null }, { gives: { 'usage.prompt_tokens': 0 } }),
  complete(
    'an echo without new tokens is the prompt',
    { echo: true, max_tokens: 0 },
    { gives: { 'choices.0.text': PROMPT } },
  ),
  complete(
    'an echo rates the prompt, but for its first token',
    { echo: true, max_tokens: 0, logprobs: 1 },
    { gives: { 'choices.0.logprobs.token_logprobs.0': null, 'choices.0.logprobs.text_offset.0': 0 } },
  ),
  complete(
    'logprobs rate each token',
    { logprobs: 3 },
    { gives: { 'choices.0.logprobs.tokens.length': 4, 'choices.0.logprobs.top_logprobs.length': 4 } },
  ),
  complete('logprobs are null without a wish', {}, { gives: { 'choices.0.logprobs': null } }),
  complete(
    'prompt_logprobs rate ids',
    { prompt: IDS, prompt_logprobs: 1 },
    { gives: { 'choices.0.prompt_logprobs.length': 3, 'choices.0.prompt_logprobs.0': null } },
  ),
  complete(
    'the best of several is one',
    { n: 1, best_of: 3, temperature: 1, seed: 1 },
    { gives: { 'choices.length': 1, 'usage.completion_tokens': 12 } },
  ),
  complete(
    'a stop sequence ends a text',
    { stop: 'e', max_tokens: 60, temperature: 1, seed: 3 },
    { gives: { 'choices.0.finish_reason': 'stop' } },
  ),
  complete(
    'several stop sequences end a text',
    { stop: ['e', 'a'], max_tokens: 60, temperature: 1, seed: 3 },
    { gives: { 'choices.0.finish_reason': 'stop' } },
  ),
  complete(
    'a bias decides',
    { logit_bias: { 300: 10_000 }, max_tokens: 2, logprobs: 0 },
    { gives: { 'choices.0.logprobs.tokens.length': 2 } },
  ),
  complete('penalties are taken', { presence_penalty: 1, frequency_penalty: -1 }, { gives: { 'choices.length': 1 } }),
  complete(
    'a top_p of 1 with temperature 0 takes the likeliest',
    { top_p: 1 },
    { gives: { 'usage.completion_tokens': 4 } },
  ),
  complete('a negative seed is a seed', { temperature: 1, seed: -5 }, { gives: { 'choices.length': 1 } }),
  complete('a stream has the same text', { stream: true }, { gives: { 'texts.length': 1 } }),
  complete(
    'a stream of several choices has the same texts',
    { stream: true, n: 2, temperature: 1, seed: 2 },
    { gives: { 'texts.length': 2 } },
  ),
  complete(
    'a stream of several prompts has the same texts',
    { stream: true, prompt: [PROMPT, 'Rome'] },
    { gives: { 'texts.length': 2 } },
  ),
  complete(
    'a stream tells its usage',
    { stream: true, stream_options: { include_usage: true } },
    { gives: { 'usage.completion_tokens': 4 } },
  ),
  complete('a stream tells no usage without a wish', { stream: true }, { gives: { usage: null } }),
  complete('a stream echoes', { stream: true, echo: true }, { gives: { 'finishes.0': 'length' } }),
  complete('a stream rates its tokens', { stream: true, logprobs: 2 }, { gives: { 'rated.0': 4 } }),
  complete(
    'a stream ends at a stop sequence',
    { stream: true, stop: 'e', max_tokens: 60, temperature: 1, seed: 3 },
    { gives: { 'finishes.0': 'stop' } },
  ),
  complete('a call is aborted', { max_tokens: 500 }, { isAborted: true }),
  complete('a stream is aborted', { max_tokens: 500, stream: true }, { isAborted: true }),
  complete('a model must be named', { model: undefined }, refusedField('model')),
  complete(
    'an unknown model is refused',
    { model: 'gpt-x' },
    { refused: { status: 404, code: 'model_not_found', param: 'model' } },
  ),
  complete(
    'a model that cannot write is refused',
    { model: 'lightwell-embed' },
    refusedField('model', 'missing_capability'),
  ),
  complete('a suffix is not served', { suffix: '.' }, refusedField('suffix')),
  complete('a user is not served', { user: 'somebody' }, refusedField('user')),
  complete('too many tokens are no limit', { max_tokens: -1 }, refusedField('max_tokens')),
  complete('best_of below n is refused', { n: 3, best_of: 2 }, invalidField('best_of')),
  complete('a stream has no best_of above n', { best_of: 2, stream: true }, invalidField('stream')),
  complete('a stream rates no prompt', { prompt_logprobs: 1, stream: true }, invalidField('prompt_logprobs')),
  complete('more logprobs than there are alternatives are refused', { logprobs: 21 }, refusedField('logprobs')),
  complete('an empty list is no prompt', { prompt: [] }, refusedField('prompt')),
  complete('an unknown id is refused', { prompt: [10_000_000] }, invalidField('prompt[0].data[0]')),
  complete(
    'a prompt beyond the context is refused',
    { prompt: 'apple '.repeat(3000) },
    { refused: { status: 400, code: 'context_length_exceeded' } },
  ),
  complete('an empty stop sequence is refused', { stop: [''] }, refusedField('stop[0]')),
];

const CHAT: readonly Call[] = [
  chat(
    'a dialogue is answered',
    {},
    { gives: { object: 'chat.completion', 'choices.0.message.role': 'assistant', 'choices.0.message.refusal': null } },
  ),
  chat(
    'both names of the limit work',
    { max_tokens: undefined, max_completion_tokens: 2 },
    { gives: { 'usage.completion_tokens': 2 } },
  ),
  chat(
    'a system speaks',
    { messages: [{ role: 'system', content: 'Be brief.' }, messages[0]] },
    { gives: { 'choices.length': 1 } },
  ),
  chat(
    'a developer speaks as the system',
    { messages: [{ role: 'developer', content: 'Be brief.' }, messages[0]] },
    { gives: { 'choices.length': 1 } },
  ),
  chat(
    'texts in parts are one text',
    { messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT }] }] },
    { gives: { 'choices.length': 1 } },
  ),
  chat(
    'n answers are given',
    { n: 2, temperature: 1, seed: 1 },
    { gives: { 'choices.length': 2, 'choices.1.index': 1 } },
  ),
  chat(
    'logprobs rate each token',
    { logprobs: true },
    { gives: { 'choices.0.logprobs.content.length': 4, 'choices.0.logprobs.content.0.top_logprobs.length': 0 } },
  ),
  chat(
    'top_logprobs tell the likeliest',
    { logprobs: true, top_logprobs: 3 },
    { gives: { 'choices.0.logprobs.content.0.top_logprobs.length': 3 } },
  ),
  chat(
    'a stop sequence ends an answer',
    { stop: 'e', max_tokens: 60, temperature: 1, seed: 3 },
    { gives: { 'choices.0.finish_reason': 'stop' } },
  ),
  chat('the format may be text', { response_format: { type: 'text' } }, { gives: { 'choices.length': 1 } }),
  chat(
    'an answer meets a schema',
    { response_format: formatOf({ const: { colour: 'red' } }), max_tokens: 60 },
    { gives: { 'choices.0.message.content': '{"colour":"red"}', 'choices.0.finish_reason': 'stop' } },
  ),
  chat(
    'several answers meet a schema and are rated',
    { response_format: formatOf({ const: [1, 2] }), max_tokens: 60, n: 2, temperature: 1, seed: 4, logprobs: true },
    { gives: { 'choices.1.message.content': '[1,2]', 'choices.1.finish_reason': 'stop' } },
  ),
  chat(
    'an answer in JSON that is cut says so',
    { response_format: { type: 'json_object' }, max_tokens: 1 },
    { gives: { 'choices.0.finish_reason': 'length' } },
  ),
  chat(
    'a stream of JSON has the same text',
    {
      response_format: formatOf({ type: 'array', items: { enum: [true, null] }, maxItems: 3 }),
      stream: true,
      max_tokens: 60,
    },
    { gives: { 'finishes.0': 'stop' } },
  ),
  chat(
    'a keyword of a schema that is not served is told',
    { response_format: formatOf({ not: {} }) },
    invalidField('response_format.json_schema.schema.not'),
  ),
  chat('a stream has the same text', { stream: true }, { gives: { 'texts.length': 1 } }),
  chat(
    'a stream of several answers has the same texts',
    { stream: true, n: 2, temperature: 1, seed: 2 },
    { gives: { 'texts.length': 2 } },
  ),
  chat(
    'a stream tells its usage',
    { stream: true, stream_options: { include_usage: true } },
    { gives: { 'usage.completion_tokens': 4 } },
  ),
  chat('a stream rates its tokens', { stream: true, logprobs: true, top_logprobs: 1 }, { gives: { 'rated.0': 4 } }),
  chat('a stream is aborted', { max_tokens: 500, stream: true }, { isAborted: true }),
  chat(
    'tools are not served',
    { tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] },
    refusedField('tools'),
  ),
  chat('audio is not served', { modalities: ['text', 'audio'] }, refusedField('modalities')),
  chat('top_logprobs need logprobs', { top_logprobs: 2 }, invalidField('top_logprobs')),
  chat(
    'a role is known',
    { messages: [{ role: 'tool', content: 'x', tool_call_id: '1' }] },
    refusedField('messages[0].role'),
  ),
  chat('no messages are no dialogue', { messages: [] }, refusedField('messages')),
  chat(
    'what a template refuses is told',
    { messages: [messages[0], { role: 'system', content: 'Late.' }] },
    { refused: { status: 400, code: 'invalid_request' } },
  ),
  chat(
    'an unknown model is refused',
    { model: 'gpt-x' },
    { refused: { status: 404, code: 'model_not_found', param: 'model' } },
  ),
];

const EMBEDDINGS: readonly Call[] = [
  embed('a text is embedded', {}, { gives: { object: 'list', 'data.0.embedding.length': 5120 } }),
  embed(
    'texts are embedded in their order',
    { input: ['Rome', 'Oslo', 'Lima'] },
    { gives: { 'data.length': 3, 'data.2.index': 2 } },
  ),
  embed('token ids are embedded', { input: IDS }, { gives: { 'usage.prompt_tokens': 3 } }),
  embed('lists of token ids are embedded', { input: [IDS, [7]] }, { gives: { 'data.length': 2 } }),
  embed('dimensions are cut', { dimensions: 64 }, { gives: { 'data.0.embedding.length': 64 } }),
  embed(
    'numbers are sent as numbers',
    { encoding_format: 'float', dimensions: 8 },
    { gives: { 'data.0.embedding.length': 8 } },
  ),
  embed(
    'numbers are sent in base64',
    { encoding_format: 'base64', dimensions: 3 },
    { gives: { 'data.0.embedding.length': 16 } },
  ),
  embed('more dimensions than there are are refused', { dimensions: 6000 }, invalidField('dimensions')),
  embed('an empty text is refused', { input: '' }, invalidField('input')),
  embed('another encoding is refused', { encoding_format: 'hex' }, refusedField('encoding_format')),
  embed('a model that embeds nothing is refused', { model: MODEL }, refusedField('model', 'missing_capability')),
];

const EXPLANATIONS: readonly Call[] = [
  explain(
    'a target is explained',
    { prompt_granularity: { type: 'word' } },
    { gives: { 'explanations.0.target': ' away', 'explanations.0.items.0.type': 'text' } },
  ),
  explain('an empty target is refused', { target: '' }, invalidField('target')),
  explain(
    'a wrong granularity is refused',
    { prompt_granularity: { type: 'letter' } },
    refusedField('prompt_granularity.type'),
  ),
];

/** All calls, of a server whose base model has a chat template. */
export const CALLS: readonly Call[] = [...MODELS, ...COMPLETIONS, ...CHAT, ...EMBEDDINGS, ...EXPLANATIONS];
