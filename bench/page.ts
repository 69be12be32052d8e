import { createClient } from '../src/client/client.ts';
import { createService } from '../src/service/create-service.ts';
import { trustScriptsIn } from '../src/protocol/page/script-urls.ts';
import { spread } from './networks/by-turns.ts';
import { killDuring, learnOperations } from './kills/in-page.ts';
import { killDuringTask, learnTask } from './kills/tasks-in-page.ts';
import { BUDGET, type NetworkName, TARGET_TOKENS, type TaskKind, type Tasks } from './screen/tasks.ts';

trustScriptsIn(new URL('/', location.href).href);

/** A worker for measurements; one task at a time. */
function createBenchWorker() {
  const worker = new Worker(new URL('./bench.worker.ts', import.meta.url), { type: 'module' });
  return {
    run: <K extends TaskKind>(kind: K, input: Tasks[K]['input']) =>
      new Promise<Tasks[K]['output']>((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.ok ? resolve(data.value) : reject(new Error(data.message)));
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ kind, input });
      }),
    end: () => worker.terminate(),
  };
}

/** Wall time of an explanation over N + 1 full forward passes: medians of the rounds. */
async function cost(network: NetworkName, tokens: number, rounds: number) {
  const worker = createBenchWorker();
  const measured = await worker.run('cost', { network, tokens, rounds });
  worker.end();
  const ratios = measured.rounds.map(({ forwardMs, explainMs }) => explainMs / ((tokens + 1) * forwardMs));
  return {
    network,
    tokens,
    forwardMs: median(measured.rounds.map(({ forwardMs }) => forwardMs)),
    explainMs: median(measured.rounds.map(({ explainMs }) => explainMs)),
    ratio: median(ratios),
    worst: Math.max(...ratios),
  };
}

/**
 * Wall time of an explanation with a foil over that of one without: medians of the rounds; and the same ratio of positions that
 * passes compute, one for each section from its own position on.
 */
async function contrast(network: NetworkName, tokens: number, foilTokens: number, rounds: number) {
  const worker = createBenchWorker();
  const measured = await worker.run('contrast', { network, tokens, foilTokens, rounds });
  worker.end();
  const positions = (tokens + 1) / 2 + TARGET_TOKENS - 1;
  return {
    network,
    tokens,
    foilTokens,
    floor: (positions + foilTokens - 1) / positions,
    oneMs: median(measured.rounds.map(({ oneMs }) => oneMs)),
    bothMs: median(measured.rounds.map(({ bothMs }) => bothMs)),
    ratio: median(measured.rounds.map(({ oneMs, bothMs }) => bothMs / oneMs)),
  };
}

/** Wall time of steered work over that of the same without steering: medians of the rounds. */
async function steering(work: Tasks['steering']['input']['work'], tokens: number, rounds: number) {
  const worker = createBenchWorker();
  const measured = await worker.run('steering', { network: 'embedded', tokens, work, rounds });
  worker.end();
  const { half, middle } = spread(measured.rounds.map(({ plainMs, steeredMs }) => steeredMs / plainMs));
  return {
    work,
    tokens,
    plainMs: median(measured.rounds.map(({ plainMs }) => plainMs)),
    ratio: middle,
    half: half.map((each) => each.toFixed(2)).join(' to '),
  };
}

/** Threads of a finished run spin for a while and would take a core from the next. */
const REST_MS = 50;
const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS));

/** `/embed` through router and worker beside the bare session, in turn, with a rest between. */
async function overhead(words: number, rounds: number) {
  const prompt = 'the old house by the river was empty '
    .repeat(Math.ceil(words / 8))
    .split(' ')
    .slice(0, words)
    .join(' ');
  const worker = createBenchWorker();
  const embed = createEmbed(prompt);
  const pairs: { bare: number; routed: number }[] = [];
  for (let round = -3; round < rounds; round++) {
    await rest();
    const { ms: bare } = await worker.run('bare', { prompt });
    await rest();
    const start = performance.now();
    await embed();
    if (round >= 0) pairs.push({ bare, routed: performance.now() - start });
  }
  worker.end();
  const bare = median(pairs.map((pair) => pair.bare));
  const routed = median(pairs.map((pair) => pair.routed));
  return { words, bareMs: bare, routedMs: routed, ratio: median(pairs.map((pair) => pair.routed / pair.bare)) };
}

function createEmbed(prompt: string): () => Promise<number> {
  const service = createService({ baseUrl: `${location.origin}/`, backend: 'wasm', preload: false });
  const client = createClient(service);
  const model = service.models.preferred.name;
  return async () => {
    const answer = await client.embed({ model, prompt, layers: [-1], pooling: ['mean'] });
    if (!answer.ok) throw new Error(answer.problem.message);
    return answer.value.num_tokens_prompt_total;
  };
}

/** One round of explanations of a length, exact and within a budget, as shares of naive ones; positions beside time. */
async function length(network: NetworkName, tokens: number, sectionTokens: number) {
  const worker = createBenchWorker();
  const { forwardMs, exact, within } = await worker.run('length', { network, tokens, sectionTokens });
  worker.end();
  const { sections } = exact;
  const naiveMs = (sections + 1) * forwardMs;
  const total = tokens + TARGET_TOKENS - 1;
  const floor = total + sections * total - (tokens * (sections - 1)) / 2; // sections of one length, each from its start on
  return {
    network,
    tokens,
    sections,
    naiveSeconds: naiveMs / 1000,
    'exact ÷ naive': exact.ms / naiveMs,
    'floor ÷ naive': floor / ((sections + 1) * total),
    'positions ÷ floor': exact.positions / floor,
    'budget ÷ naive': within.ms / naiveMs,
    'budget ÷ exact': within.ms / exact.ms,
    'its positions ÷ exact': within.positions / exact.positions,
  };
}

/** WebAssembly memory of the first passes of an explanation over that of one forward pass, each in a worker of its own. */
async function memory(network: NetworkName, tokens: number, sectionTokens = 1, passes = Infinity) {
  const about = { network, tokens, sectionTokens, budget: 1, passes };
  const forward = await bytesAfter({ ...about, what: 'forward' });
  const explain = await bytesAfter({ ...about, what: 'explain' });
  return { network, tokens, forwardMiB: forward / 2 ** 20, explainMiB: explain / 2 ** 20, ratio: explain / forward };
}

/** Of one length: memory of the first passes of exact scores, and of a whole explanation within a budget, over one forward pass. */
async function lengthMemory(network: NetworkName, tokens: number, sectionTokens: number) {
  const about = { network, tokens, sectionTokens, budget: 1, passes: 4 };
  const forward = await bytesAfter({ ...about, what: 'forward' });
  const exact = await bytesAfter({ ...about, what: 'explain' });
  const within = await bytesAfter({ ...about, what: 'explain', budget: BUDGET, passes: Infinity });
  return {
    network,
    tokens,
    forwardMiB: forward / 2 ** 20,
    'exact ÷ forward': exact / forward,
    'budget ÷ forward': within / forward,
  };
}

/** On WebGPU, in a worker of its own. */
async function gpu(network: NetworkName) {
  const worker = createBenchWorker();
  const rows = await worker.run('gpu', { network });
  worker.end();
  return rows;
}

async function bytesAfter(task: Tasks['memory']['input']): Promise<number> {
  const worker = createBenchWorker();
  const { bytes } = await worker.run('memory', task);
  worker.end();
  return bytes;
}

/** The middle value; of an even number the mean of the middle two. @throws {RangeError} for no values */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new RangeError('expected at least one value, got none');
  return (low + high) / 2;
}

/** What the script that drives this page calls. */
const benches = {
  cost,
  contrast,
  steering,
  overhead,
  memory,
  length,
  lengthMemory,
  gpu,
  learnOperations,
  killDuring,
  learnTask,
  killDuringTask,
};
export type Benches = typeof benches;
Object.assign(globalThis, { benches });
