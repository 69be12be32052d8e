import type { CompleteJob, ExplainJob, JobKind, Jobs, QaJob } from '../protocol/jobs.ts';
import type { JobPrompt } from '../protocol/model-job.ts';

/** Characters of a token, about. */
const CHARACTERS = 4;
/** Positions of a picture in a sequence. */
const PICTURE = 144;
/** Tokens of one section by granularity, about; without one there are about thirty sections. */
const SECTION_TOKENS = { token: 1, word: 1.3, sentence: 20, paragraph: 80, custom: 10 } as const;
const AUTO_SECTIONS = 30;
/** Share of the passes that `budget=auto` computes, about. */
const AUTO_SHARE = 0.3;
/** Tokens that a model writes as an answer about a prompt document. */
const WRITTEN = 80;
/** Tokens of a completion whose length is not given, about. */
const COMPLETED = 256;
/** Bytes of a Docx file for which reading takes as long as computing a position. */
const FILE_BYTES = 64;

/** Characters, or tokens, that are tokenised while a position is computed, at least. */
const TOKENIZED = 100;

const COSTS: { readonly [Kind in JobKind]: (input: Jobs[Kind]['input']) => number } = {
  prepare: () => 0,
  unload: () => 0,
  inspect: () => 0,
  embed: ({ prompt }) => tokensOf(prompt),
  semanticEmbed: ({ prompts }) => prompts.reduce((sum, prompt) => sum + tokensOf(prompt), 0),
  evaluate: ({ prompt, completion_expected: expected }) => tokensOf(prompt) + textTokens(expected),
  predict: ({ prompt, target, maximum_tokens: most }) => tokensOf(prompt) + textTokens(target ?? '') + most,
  lens: ({ prompt, target, positions }) => tokensOf(prompt) + textTokens(target ?? '') + positions,
  rerank: ({ query, documents }) => documents.reduce((sum, document) => sum + tokensOf(document), tokensOf(query)),
  tokenize: ({ prompt }) => prompt.length / TOKENIZED,
  detokenize: ({ ids }) => ids.length / TOKENIZED,
  steeringConcept: ({ examples }) =>
    examples.reduce((sum, { positive, negative }) => sum + tokensOf(positive) + tokensOf(negative), 0),
  complete: completeCost,
  explain: explainCost,
  qa: qaCost,
  extractText: ({ file }) => file.byteLength / FILE_BYTES,
};

/** Positions that forward passes will compute, within a factor of about two; only the order of jobs depends on it. */
export function costOf<Kind extends JobKind>(kind: Kind, input: Jobs[Kind]['input']): number {
  return COSTS[kind](input);
}

/** Passes for each section of Shapley values by default: four orders and their reverses. */
const SHAPLEY_ORDERS = 8;

/** The pass of a section computes what comes after it: half the sequence on average. */
function explainCost({ prompt, target, prompt_granularity: granularity, budget, ...job }: ExplainJob): number {
  const tokens = tokensOf(prompt) + textTokens(target);
  if (job.max_requests !== null) return tokens * job.max_requests;
  const sections = granularity === null ? AUTO_SECTIONS : tokens / SECTION_TOKENS[granularity.type];
  if (job.method === 'shapley') return SHAPLEY_ORDERS * sections * tokens;
  return tokens + ((sections * tokens) / 2) * (budget === 'auto' ? AUTO_SHARE : budget);
}

function completeCost({ prompts, maximum_tokens: most, best_of: candidates }: CompleteJob): number {
  const costs = prompts.map((prompt) => {
    const read =
      'items' in prompt
        ? tokensOf(prompt)
        : prompt.messages
            .flatMap(({ content }) => content)
            .reduce((sum, part) => sum + (typeof part === 'string' ? textTokens(part) : PICTURE), 0);
    return read + candidates * (most ?? COMPLETED);
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}

function qaCost({ query, documents }: QaJob): number {
  const question = textTokens(query);
  return documents.reduce(
    (sum, document) =>
      sum + question + (document.type === 'text' ? textTokens(document.text) : tokensOf(document.prompt) + WRITTEN),
    0,
  );
}

function tokensOf({ items }: JobPrompt): number {
  const tokens = items.map((item) => {
    if (item.type === 'text') return textTokens(item.text);
    return item.type === 'image' ? PICTURE : item.ids.length;
  });
  return tokens.reduce((sum, each) => sum + each, 0);
}

function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS);
}
