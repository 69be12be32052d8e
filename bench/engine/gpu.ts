import { QUIET, textPrompt } from '../../test/support/fakes/jobs.ts';
import { watchKernels, watchReadbacks } from '../../test/support/onnx/readbacks.ts';
import type { Written } from './library-writer.ts';
import { measureCosts } from '../../workers/engine/checks/measure-costs.ts';
import type { LoadedModel } from '../../workers/engine/engine.ts';
import { type Network, tokensOf } from '../../workers/engine/network.ts';
import { openGpu, passBytesOn } from '../../workers/engine/session/gpu-device.ts';
import { greedyContinuation } from '../../workers/operations/complete/continuation.ts';
import { explain } from '../../workers/operations/explain/explain.ts';
import { qa } from '../../workers/operations/qa.ts';
import { semanticEmbed } from '../../workers/operations/semantic-embed.ts';
import { type BenchModel, explainJob, forwardOf, openBenchModel, randomNetwork, sectionIds } from '../models.ts';
import type { GpuRow, NetworkName } from '../screen/tasks.ts';

/** Costs that are assumed on a software adapter, whose times say nothing of a card. */
const OF_A_CARD = { passMs: 10, positionMs: 0.0015, memoryBytes: 2 ** 30 };

/** Tokens of the pass that is compared with the file as it was exported. */
const TOKENS = 40;

type Gpu = NonNullable<Awaited<ReturnType<typeof openGpu>>>;

/**
 * What a network costs on a GPU: a pass, and each task that it is for. On a software adapter tasks are short, and there are counts but
 * no times.
 */
export async function gpuRows(name: NetworkName): Promise<GpuRow[]> {
  const gpu = await openGpu();
  if (gpu === undefined) throw new Error('expected a browser with a WebGPU adapter, got one without');
  const on = { kind: 'webgpu', device: gpu.device } as const;
  const random = randomNetwork(name);
  if (random?.needsCard && gpu.isSoftware)
    return [{ network: name, task: 'left out: a software adapter takes minutes' }];
  const opened = await openBenchModel(name, on);
  const { network } = opened.loaded;
  const costs = gpu.isSoftware ? OF_A_CARD : await measureCosts(network, passBytesOn(gpu.device));
  const model = { ...opened.loaded, network: { ...network, costs } };
  const times = gpu.isSoftware ? {} : { msAPass: costs.passMs, usAPosition: 1000 * costs.positionMs };
  const rows: GpuRow[] = [{ network: name, task: `opened on ${gpu.description}`, ...times }];
  const storedAs = random?.storedAs ?? 'fp32';
  const runsFile = storedAs === 'fp32' || gpu.device.features.has('shader-f16'); // Lightwell widens 16-bit floats, others do not
  if (network.shape.vocabulary > 0) {
    if (runsFile) rows.push({ network: name, ...(await exportedPass(opened, gpu)) });
    for (const mode of ['additive', 'multiplicative'] as const) {
      const task = `${TOKENS} tokens with a control, ${mode}`;
      rows.push({ network: name, task, 'kernels a pass': await kernelsOf(network, mode) });
    }
  }
  for (const { task, work } of tasksOf(name, gpu.isSoftware)) {
    await work(model);
    rows.push({ network: name, task, ...(await countedTask(model, work, gpu.isSoftware)) });
  }
  await network.release();
  if (random && runsFile) {
    const { model: file } = opened.exported.files;
    rows.push({ network: name, ...(await libraryTask(file, { sizes: random.sizes, storedAs }, gpu.isSoftware)) });
  }
  return rows;
}

/** A pass of the file as it was exported. */
async function exportedPass({ exported }: BenchModel, { device, isSoftware }: Gpu) {
  const forward = await forwardOf(exported, TOKENS, { kind: 'webgpu', device });
  for (let pass = 0; pass < 3; pass++) await forward(); // a GPU compiles shaders in the first
  const { kernels } = await watchKernels(forward);
  const row = { task: `${TOKENS} tokens as exported, all logits`, 'kernels a pass': kernels };
  return isSoftware ? row : { ...row, ms: await msOf(forward) };
}

/** The file as it was exported in transformers.js, which writes as many tokens after the same ids. */
async function libraryTask(model: Uint8Array, network: Written, isSoftware: boolean) {
  const { libraryWriter } = await import('./library-writer.ts');
  const passes = writtenTokens(isSoftware);
  const { write, release } = await libraryWriter(model, network, WRITTEN_AFTER);
  await write(passes); // a GPU compiles shaders in the first
  const counted = await counts(() => write(passes), isSoftware);
  await release();
  return { task: `${passes} tokens written by transformers.js`, passes, ...eachPass(counted, passes) };
}

/** Kernels of a pass with a control, after the first, which computes constants. */
async function kernelsOf(network: Network, mode: 'additive' | 'multiplicative'): Promise<number> {
  const ids = Int32Array.from(sectionIds(TOKENS));
  const factors = new Float32Array(TOKENS).fill(1).fill(0.1, 0, 1);
  const pass = () => network.run({ batch: 1, ids, targets: ids.subarray(0, 1), perturbation: { mode, factors } });
  await pass();
  return (await watchKernels(pass)).kernels;
}

interface Task {
  readonly task: string;
  work(model: LoadedModel): Promise<unknown>;
}

function tasksOf(name: NetworkName, isSoftware: boolean): Task[] {
  const texts = Array.from({ length: isSoftware ? 4 : 100 }, (_, at) => SENTENCE.repeat(1 + (at % 3)));
  const { model } = explainJob(1);
  if (name === 'embedder') {
    const job = { model, representation: 'symmetric', normalize: true, control_log_additive: true } as const;
    const prompts = texts.map((text) => textPrompt(text));
    return [{ task: `${texts.length} texts`, work: (loaded) => semanticEmbed({ ...job, prompts }, loaded, QUIET) }];
  }
  if (name === 'reader') {
    const documents = texts.map((text) => ({ type: 'text' as const, path: 'documents', text }));
    const job = { model, query: 'Why was the house empty?', max_answers: 1, documents };
    return [{ task: `an answer from ${texts.length} texts`, work: (loaded) => qa(job, loaded, QUIET) }];
  }
  const lengths = isSoftware ? [12] : [40, 216, 600];
  const written = writtenTokens(isSoftware);
  const beginning = { ids: WRITTEN_AFTER, embeddingOverrides: [], factors: undefined, mode: 'additive' as const };
  const limits = { maximumTokens: written, isEnd: () => false };
  return [
    ...lengths.map((tokens) => ({
      task: `explanation of ${tokens} tokens`,
      work: (loaded: LoadedModel) => explain(explainJob(tokens), loaded, QUIET),
    })),
    { task: `${written} written tokens`, work: ({ network }) => greedyContinuation(network, beginning, limits) },
  ];
}

function writtenTokens(isSoftware: boolean): number {
  return isSoftware ? 4 : 64;
}

const WRITTEN_AFTER = sectionIds(12);

const SENTENCE = 'The old house by the river was empty for years, and nobody in the town could say why. ';

async function countedTask(model: LoadedModel, work: Task['work'], isSoftware: boolean) {
  let [passes, positions] = [0, 0];
  const network: Network = {
    ...model.network,
    run: (run) => {
      passes++;
      positions += run.batch * tokensOf(run);
      return model.network.run(run);
    },
  };
  const counted = await counts(() => work({ ...model, network }), isSoftware);
  return { passes, positions, ...eachPass(counted, passes) };
}

/** What this thread has a GPU do during a task, and its time on a card. */
async function counts(task: () => Promise<unknown>, isSoftware: boolean) {
  const beganMs = performance.now();
  const { kernels, value } = await watchKernels(() => watchReadbacks(task));
  const ms = performance.now() - beganMs;
  return { kernels, ...value.counted, ...(!isSoftware && { ms }) };
}

function eachPass({ kernels, readbacks, bytes, ...time }: Awaited<ReturnType<typeof counts>>, passes: number) {
  return {
    'kernels a pass': kernels / passes,
    'readbacks a pass': readbacks / passes,
    'bytes a pass': bytes / passes,
    ...time,
  };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}
