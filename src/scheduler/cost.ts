import type { CompleteJob } from '../protocol/likelihood/complete-job.ts';
import type { QaJob } from '../protocol/document-jobs.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { JobPrompt } from '../protocol/prompt.ts';
import type { ExplainJob } from '../protocol/target-jobs.ts';

/** Characters of a token, about. */
const CHARACTERS = 4;
/** Positions that a picture takes in a sequence. */
const PICTURE = 144;
/** Tokens of one section by granularity, about; without one there are some thirty sections. */
const SECTION_TOKENS = { token: 1, word: 1.3, sentence: 20, paragraph: 80, custom: 10 } as const;
const AUTO_SECTIONS = 30;
/** Share of the passes that `budget=auto` computes, about. */
const AUTO_SHARE = 0.3;
/** Tokens that a model writes as an answer about a prompt document. */
const WRITTEN = 80;
/** Tokens of a completion whose length is not given, about. */
const COMPLETED = 256;
/** Positions of a trial of numbers of threads, about. */
const TRIED = 10_000;
/** Bytes of a Docx file for which reading takes as long as computing a position. */
const FILE_BYTES = 64;

type Costs = { readonly [Kind in JobKind]: (input: Jobs[Kind]['input']) => number };

const COSTS: Costs = {
  prepare: () => 0,
  unload: () => 0,
  inspect: () => 0,
  tryThreads: () => TRIED,
  embed: ({ prompt }) => tokensOf(prompt),
  semanticEmbed: ({ prompts }) => prompts.reduce((sum, prompt) => sum + tokensOf(prompt), 0),
  evaluate: ({ prompt, expected }) => tokensOf(prompt) + textTokens(expected),
  predict: ({ prompt, target, maximumTokens }) => tokensOf(prompt) + textTokens(target ?? '') + maximumTokens,
  lens: ({ prompt, target, positions }) => tokensOf(prompt) + textTokens(target ?? '') + positions,
  complete: completeCost,
  explain: explainCost,
  qa: qaCost,
  extractText: ({ file }) => file.byteLength / FILE_BYTES,
};

/**
 * Work of a job before anything of it is computed: positions that forward passes will compute, within a factor of two
 * or so. Only the order of jobs depends on it.
 */
export function costOf<Kind extends JobKind>(kind: Kind, input: Jobs[Kind]['input']): number {
  return COSTS[kind](input);
}

/** A pass for each section computes what comes behind it: half the sequence on average. */
function explainCost({ prompt, target, granularity, budget }: ExplainJob): number {
  const tokens = tokensOf(prompt) + textTokens(target);
  const sections = granularity === null ? AUTO_SECTIONS : tokens / SECTION_TOKENS[granularity.type];
  return tokens + ((sections * tokens) / 2) * (budget === 'auto' ? AUTO_SHARE : budget);
}

function completeCost({ prompt, messages = [], maximumTokens, candidates }: CompleteJob): number {
  const said = messages.reduce((sum, { content }) => sum + textTokens(content), 0);
  return tokensOf(prompt) + said + candidates * (maximumTokens ?? COMPLETED);
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
