import type { ExplainJob } from '../../src/protocol/jobs.ts';
import { type Network, tokensOf } from '../../workers/engine/network.ts';
import type { TaskContext } from '../../workers/serving/serve.ts';
import { explain } from '../../workers/operations/explain/explain.ts';
import { type BenchModel, explainJob, forwardOf } from '../models.ts';
import { quantile } from '../networks/by-turns.ts';
import { BUDGET, type LengthCost, TARGET_TOKENS, type Tasks } from '../screen/tasks.ts';

/** A piece of text for each section, so that sections have about so many tokens. */
const LINE = 'The old house by the river was empty for years, and nobody in the town could say why it had been left. ';
const DELIMITER = '|';

/** Forward passes that are timed before the explanations, and after them. */
const PASSES = 4;

/** Time of forward passes, of exact scores and of those within a budget, one after the other, and what each computes. */
export async function lengthCost(
  opened: BenchModel,
  { tokens, sectionTokens }: Tasks['length']['input'],
): Promise<LengthCost> {
  const job = sectionsJob(opened, tokens, sectionTokens);
  const forward = await forwardOf(opened.exported, tokens + TARGET_TOKENS - 1);
  await counted(opened, { ...job, budget: BUDGET }); // a browser optimises code that has run for a while
  const before = await timesOf(forward);
  const exact = await counted(opened, job);
  const within = await counted(opened, { ...job, budget: BUDGET });
  const after = await timesOf(forward);
  return { forwardMs: quantile([...before, ...after], 0.5), exact, within };
}

/** Ends an explanation whose first passes, the longest, have shown how much memory it takes. */
class Enough extends Error {}

/** The first passes of an explanation. */
export async function explainSome(opened: BenchModel, asked: Tasks['memory']['input']) {
  const { tokens, sectionTokens, budget, passes } = asked;
  let left = passes;
  const checkpoint = async () => {
    if (left-- === 0) throw new Enough();
  };
  const context: TaskContext = {
    checkpoint,
    listens: false,
    progress: () => undefined,
    signal: new AbortController().signal,
  };
  const job = { ...sectionsJob(opened, tokens, sectionTokens), budget };
  await explain(job, opened.loaded, context).catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error;
  });
}

/** Sections of one token are ids; longer ones are cut at a delimiter. */
function sectionsJob({ loaded: { tokenizer } }: BenchModel, tokens: number, sectionTokens: number): ExplainJob {
  const job = explainJob(tokens);
  if (sectionTokens === 1) return job;
  const lines = Math.ceil(sectionTokens / tokenizer.tokenize(LINE).ids.length);
  const section = LINE.repeat(lines) + DELIMITER;
  const count = Math.floor(tokens / tokenizer.tokenize(section).ids.length);
  return {
    ...job,
    prompt: { path: 'prompt', items: [{ type: 'text', text: section.repeat(count), controls: [] }] },
    prompt_granularity: { type: 'custom', delimiter: DELIMITER },
  };
}

/** An explanation, its time and the positions that its passes compute. */
async function counted({ loaded }: BenchModel, job: ExplainJob) {
  let positions = 0;
  const network: Network = {
    ...loaded.network,
    run: (run) => {
      positions += run.batch * tokensOf(run);
      return loaded.network.run(run);
    },
  };
  const quiet: TaskContext = {
    checkpoint: async () => undefined,
    listens: false,
    progress: () => undefined,
    signal: new AbortController().signal,
  };
  const { ms, value } = await timed(() => explain(job, { ...loaded, network }, quiet));
  return { ms, positions, sections: value.sections.length };
}

/** The first one grows the heap, and does not count. */
async function timesOf(forward: () => Promise<unknown>): Promise<number[]> {
  await forward();
  const times: number[] = [];
  for (let pass = 0; pass < PASSES; pass++) times.push((await timed(forward)).ms);
  return times;
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ ms: number; value: Value }> {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}
