import { trustScriptsIn } from '../src/protocol/page/script-urls.ts';
import type { TaskContext } from '../workers/serving/serve.ts';
import { wasmBytes } from './watched-memory.ts';
import { gpuRows } from './engine/gpu.ts';
import { explainSome, lengthCost } from './engine/lengths.ts';
import { explainJob, exportedModel, forwardOf, openBenchModel, type BenchModel } from './models.ts';
import {
  type ContrastCost,
  type Cost,
  type NetworkName,
  TARGET_TOKENS,
  type TaskMessage,
  type Tasks,
} from './screen/tasks.ts';
import { greedyContinuation } from '../workers/operations/complete/continuation.ts';
import { explain } from '../workers/operations/explain/explain.ts';
import { steeredBy } from '../workers/operations/steering/steered.ts';
import { byTurns } from './networks/by-turns.ts';

// The runtime starts a worker for each thread.
trustScriptsIn(new URL('/', location.href).href);

const quiet: TaskContext = {
  checkpoint: async () => undefined,
  listens: false,
  progress: () => undefined,
  signal: new AbortController().signal,
};
const models = new Map<NetworkName, Promise<BenchModel>>();

self.onmessage = async ({ data }: MessageEvent<TaskMessage>) => {
  try {
    self.postMessage({ ok: true, value: await answerTo(data) });
  } catch (error) {
    self.postMessage({ ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};

async function answerTo(message: TaskMessage): Promise<Tasks[TaskMessage['kind']]['output']> {
  switch (message.kind) {
    case 'cost':
      return cost(await model(message.input.network), message.input);
    case 'contrast':
      return contrast(await model(message.input.network), message.input);
    case 'steering':
      return steering(message.input);
    case 'bare':
      return bare(await model('embedded'), message.input.prompt);
    case 'memory':
      return memory(message.input);
    case 'gpu':
      return gpuRows(message.input.network);
    case 'length':
      return lengthCost(await model(message.input.network), message.input);
  }
}

function model(name: NetworkName): Promise<BenchModel> {
  const open = models.get(name) ?? openBenchModel(name);
  models.set(name, open);
  return open;
}

/**
 * Forward passes between the batches of an explanation, their time not counted to it: the machine's noise lasts for
 * seconds, and so meets both alike.
 */
async function cost(opened: BenchModel, { tokens, rounds }: Tasks['cost']['input']): Promise<Cost> {
  const forward = await forwardOf(opened.exported, tokens + TARGET_TOKENS - 1);
  await forward();
  const results: { forwardMs: number; explainMs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const forwardMs: number[] = [];
    const checkpoint = async () => void forwardMs.push(await timed(forward));
    const total = await timed(() => explain(explainJob(tokens), opened.loaded, { ...quiet, checkpoint }));
    const between = forwardMs.reduce((sum, ms) => sum + ms, 0);
    results.push({ forwardMs: between / forwardMs.length, explainMs: total - between });
  }
  return { rounds: results };
}

/** Explanations without and with a foil in turn, after one of each. */
async function contrast(
  { loaded }: BenchModel,
  { tokens, foilTokens, rounds }: Tasks['contrast']['input'],
): Promise<ContrastCost> {
  const ms = (foil: number) => timed(() => explain(explainJob(tokens, foil), loaded, quiet));
  const results: { oneMs: number; bothMs: number }[] = [];
  for (let round = -1; round < rounds; round++) {
    const [oneMs, bothMs] = [await ms(0), await ms(foilTokens)];
    if (round >= 0) results.push({ oneMs, bothMs });
  }
  return { rounds: results };
}

/** Work without and with a vector after the middle layer; who begins takes turns. */
async function steering({ network, tokens, work, rounds }: Tasks['steering']['input']) {
  const { loaded } = await model(network);
  const opened = await openBenchModel(network, { kind: 'wasm' }, true);
  const { layers, width, vocabulary } = loaded.network.shape;
  const vector = Float32Array.from({ length: width }, (_, at) => Math.sin(at));
  const steered = steeredBy({ steering: [{ layer: Math.ceil(layers / 2), vector }] }, opened.loaded);
  const ids = Array.from({ length: tokens }, (_, at) => 1 + ((37 * at) % (vocabulary - 1)));
  const start = { ids, embeddingOverrides: [], factors: undefined, mode: 'additive' } as const;
  const run = {
    pass: ({ network }) => network.run({ batch: 1, ids: Int32Array.from(ids), logits: true }),
    explanation: (model) => explain(explainJob(tokens), model, quiet),
    text: ({ network }) => greedyContinuation(network, start, { maximumTokens: 64, isEnd: () => false }),
  } satisfies Record<typeof work, (model: BenchModel['loaded']) => Promise<unknown>>;
  const ms = (model: BenchModel['loaded']) => () => timed(() => run[work](model));
  await byTurns(ms(loaded), ms(steered), 2);
  const measured = await byTurns(ms(loaded), ms(steered), rounds);
  return { rounds: measured.map(({ ours, theirs }) => ({ plainMs: ours, steeredMs: theirs })) };
}

/** What any embedding of a text takes: its tokens, and one pass with pooling. */
async function bare({ loaded: { network, tokenizer } }: BenchModel, prompt: string): Promise<{ ms: number }> {
  const embed = () => {
    const { ids } = tokenizer.tokenize(prompt);
    const weights = new Float32Array(ids.length).fill(1 / ids.length);
    return network.run({
      batch: 1,
      ids: Int32Array.from(ids),
      pooling: { weights, pools: 1 },
    });
  };
  return { ms: await timed(embed) };
}

/** What is not measured is not opened. */
async function memory(task: Tasks['memory']['input']): Promise<{ bytes: number }> {
  if (task.what === 'explain') await explainSome(await model(task.network), task);
  else {
    const forward = await forwardOf(await exportedModel(task.network), task.tokens + TARGET_TOKENS - 1);
    await forward();
  }
  return { bytes: wasmBytes() };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
