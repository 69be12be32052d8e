import assert from 'node:assert/strict';
import type { CompleteEvent, CompleteResponse } from '../../../src/contract/complete.ts';
import type { EvaluateResponse, PredictResponse } from '../../../src/contract/likelihood.ts';
import type { Ask } from '../transport/ask.ts';
import { assertClose } from '../transport/close.ts';
import { row, type Row } from './row.ts';

const PROMPT = 'I am a programmer and French. My favourite food is';
const base = { model: 'lightwell-base', prompt: PROMPT, maximum_tokens: 5 };
const CLIENT = "the hosted service's public client, CompletionRequest";
const RECORDED = 'recorded replies of POST /complete';

const completed = (ask: Ask, body: object = {}) => ask.ok<CompleteResponse>('/complete', { ...base, ...body });
const textOf = ({ completions: [first] }: CompleteResponse) => first?.completion ?? '';

/** Everything the Python client sends with a request that sets nothing. */
const AS_THE_CLIENT_SENDS = {
  prompt: [{ type: 'text', data: PROMPT, controls: [] }],
  temperature: 0,
  top_k: 0,
  top_p: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  n: 1,
  tokens: false,
  repetition_penalties_include_prompt: false,
  use_multiplicative_presence_penalty: false,
  echo: false,
  disable_optimizations: false,
  minimum_tokens: 0,
  use_multiplicative_frequency_penalty: false,
  sequence_penalty: 0,
  sequence_penalty_min_length: 2,
  use_multiplicative_sequence_penalty: false,
  completion_bias_inclusion_first_token_only: false,
  completion_bias_exclusion_first_token_only: false,
  control_log_additive: true,
  repetition_penalties_include_completion: true,
  raw_completion: false,
};

/** Data of the server-sent events of an answer. */
function eventsIn(text: string): CompleteEvent[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event): CompleteEvent => JSON.parse(event.replace(/^data: /, '')));
}

/** `POST /complete`. */
export const COMPLETE_ROWS: readonly Row[] = [
  row(CLIENT, 'without sampling it says what /predict says', async (ask) => {
    const { completions, num_tokens_generated: generated } = await completed(ask, AS_THE_CLIENT_SENDS);
    const { continuation } = await ask.ok<PredictResponse>('/predict', base);
    assert.equal(completions.length, 1);
    assert.equal(completions[0]?.completion, continuation.text);
    assert.equal(generated, continuation.tokens.length);
    assert.equal(completions[0]?.finish_reason, generated === 5 ? 'maximum_tokens' : 'end_of_text');
  }),
  row(RECORDED, 'tokens, log-probabilities and the raw text come when they are asked for', async (ask) => {
    const [plain] = (await completed(ask)).completions;
    assert.deepEqual(Object.keys(plain ?? {}).toSorted(), ['completion', 'finish_reason', 'index']);
    const answer = await completed(ask, { tokens: true, log_probs: 2 });
    const [rich] = answer.completions;
    assert.equal(rich?.completion_tokens?.join(''), rich?.completion);
    assert.equal(rich?.raw_completion, rich?.completion);
    assert.equal(rich?.log_probs?.length, answer.num_tokens_generated);
    rich?.completion_tokens?.forEach((token, i) => {
      const listed = rich.log_probs?.[i] ?? {};
      assert.equal(listed[token], Math.max(...Object.values(listed)));
    });
  }),
  row(CLIENT, 'log-probabilities are those of /evaluate', async (ask) => {
    const [{ log_probs = [], completion = '' } = {}] = (await completed(ask, { log_probs: 0 })).completions;
    const sum = log_probs.flatMap((each) => Object.values(each)).reduce((all, each) => all + each, 0);
    const body = { model: base.model, prompt: PROMPT, completion_expected: completion };
    const { result } = await ask.ok<EvaluateResponse>('/evaluate', body);
    if (result.token_count === log_probs.length) assertClose([sum], [result.log_probability], 1e-3);
  }),
  row(CLIENT, 'the same seed samples the same, and another one something else', async (ask) => {
    const sample = async (seed: number) => textOf(await completed(ask, { temperature: 1.5, maximum_tokens: 12, seed }));
    assert.equal(await sample(1), await sample(1));
    const others = new Set(await Promise.all([2, 3, 4].map(sample)));
    assert.ok(others.size > 1);
  }),
  row(CLIENT, 'one token to choose from is the likeliest', async (ask) => {
    const greedy = textOf(await completed(ask));
    assert.equal(textOf(await completed(ask, { temperature: 2, top_k: 1 })), greedy);
    assert.equal(textOf(await completed(ask, { top_p: 1e-9 })), greedy);
  }),
  row(CLIENT, 'n completions are returned of best_of that are written', async (ask) => {
    const sampled = { temperature: 1, seed: 7, maximum_tokens: 4, tokens: true };
    const three = await completed(ask, { ...sampled, n: 3 });
    assert.deepEqual(
      three.completions.map(({ index }) => index),
      [0, 1, 2],
    );
    const best = await completed(ask, { ...sampled, best_of: 3 });
    assert.equal(best.completions.length, 1);
    assert.equal(best.num_tokens_generated, three.num_tokens_generated);
    assert.equal(best.num_tokens_prompt_total, three.num_tokens_prompt_total);
    assert.ok(three.completions.some(({ completion }) => completion === textOf(best)));
  }),
  row(CLIENT, 'a stop sequence ends the text and is left out of it', async (ask) => {
    const whole = textOf(await completed(ask, { maximum_tokens: 8 }));
    const stop = [...whole][2] ?? '';
    const [first] = (await completed(ask, { maximum_tokens: 8, stop_sequences: [stop], raw_completion: true }))
      .completions;
    assert.equal(first?.completion, whole.slice(0, whole.indexOf(stop)));
    assert.equal(first?.finish_reason, 'stop_sequence_reached');
    assert.ok(first?.raw_completion?.startsWith(`${first.completion}${stop}`));
  }),
  row(RECORDED, 'echo begins with the prompt, of which nothing predicts the first token', async (ask) => {
    const body = { maximum_tokens: 0, echo: true, tokens: true, log_probs: 0 };
    const answer = await completed(ask, body);
    const [first] = answer.completions;
    assert.equal(first?.completion, PROMPT);
    assert.equal(first?.completion_tokens?.length, answer.num_tokens_prompt_total);
    assert.equal(first?.log_probs?.length, answer.num_tokens_prompt_total);
    assert.deepEqual(first?.log_probs?.[0], {});
    assert.equal(answer.num_tokens_generated, 0);
    assert.equal(first?.finish_reason, 'maximum_tokens');
  }),
  row(CLIENT, 'an empty prompt begins a text', async (ask) => {
    const { completions } = await completed(ask, { prompt: [{ type: 'text', data: '', controls: [] }] });
    assert.equal(completions.length, 1);
  }),
  row(CLIENT, 'texts that are asked for make up the completion, unwanted ones are left out', async (ask) => {
    const included = textOf(await completed(ask, { completion_bias_inclusion: [' yes', ' no'], maximum_tokens: 6 }));
    assert.match(included, /^( yes| no|( y| ye| n)$)*$/);
    const [character = 'x'] = [...textOf(await completed(ask)).trim()];
    assert.ok(!textOf(await completed(ask, { completion_bias_exclusion: [character] })).includes(character));
  }),
  row(CLIENT, 'a bias chooses a token, and a penalty keeps it from coming again', async (ask) => {
    const body = { logit_bias: { 300: 1000 }, tokens: true };
    const [biased] = (await completed(ask, body)).completions;
    assert.equal(new Set(biased?.completion_tokens).size, 1);
    const [penalised] = (
      await completed(ask, { ...body, presence_penalty: 100, frequency_penalty: 100, logit_bias: { 300: 50 } })
    ).completions;
    assert.equal(penalised?.completion_tokens?.filter((token) => token === penalised.completion_tokens?.[0]).length, 1);
  }),
  row(CLIENT, 'a bias of an id outside the vocabulary is refused', async (ask) => {
    const { error } = await ask.refused(400, '/complete', { ...base, logit_bias: { 99999999: 1 } });
    assert.match(error, /^logit_bias: expected token ids up to \d+, got 99999999$/);
  }),
  row('interface, Shared request elements', 'controls count for what is written', async (ask) => {
    const controls = [
      { start: PROMPT.indexOf('French'), length: 6, factor: 0 },
      { start: 0, length: 4, factor: 4 },
    ];
    const prompt = [{ type: 'text', data: PROMPT, controls }];
    const controlled = await completed(ask, { prompt, log_probs: 0 });
    assert.notDeepEqual(controlled.completions, (await completed(ask, { log_probs: 0 })).completions);
    const { continuation } = await ask.ok<PredictResponse>('/predict', { ...base, prompt });
    assert.equal(textOf(controlled), continuation.text);
  }),
  row(RECORDED, 'with stream the text comes as events, which sum to the completion', async (ask) => {
    const whole = await completed(ask, { n: 2, tokens: true, log_probs: 0 });
    const answer = await ask.raw('/complete', { ...base, n: 2, tokens: true, log_probs: 0, stream: true });
    assert.equal(answer.status, 200);
    const events = eventsIn(answer.text);
    assert.deepEqual(
      events.slice(-3).map(({ type }) => type),
      ['stream_summary', 'stream_summary', 'completion_summary'],
    );
    const chunks = events.filter((event) => event.type === 'stream_chunk');
    assert.equal(chunks.length, events.length - 3);
    for (const { index, completion, completion_tokens, log_probs } of whole.completions) {
      const own = chunks.filter((chunk) => chunk.index === index);
      assert.equal(own.map((chunk) => chunk.completion).join(''), completion);
      assert.deepEqual(
        own.flatMap((chunk) => chunk.completion_tokens ?? []),
        completion_tokens,
      );
      assert.deepEqual(
        own.flatMap((chunk) => chunk.log_probs ?? []),
        log_probs,
      );
    }
  }),
  row(CLIENT, 'what cannot be carried out is refused with its place, streamed or not', async (ask) => {
    for (const [field, value] of [
      ['n', 0],
      ['temperature', -1],
      ['top_p', 1.1],
      ['sequence_penalty_min_length', 1],
      ['maximum_tokens', -1],
    ] as const) {
      const { error } = await ask.refused(400, '/complete', { ...base, stream: true, [field]: value });
      assert.match(error, new RegExp(`^${field}: expected `));
    }
    const { error } = await ask.refused(400, '/complete', { ...base, n: 3, best_of: 2 });
    assert.match(error, /^best_of: expected at least n/);
    const streamed = await ask.refused(400, '/complete', { ...base, best_of: 2, stream: true });
    assert.match(streamed.error, /^stream: expected false/);
    const { code } = await ask.refused(400, '/complete', { ...base, model: 'lightwell-embed' });
    assert.equal(code, 'MISSING_CAPABILITY');
  }),
];
