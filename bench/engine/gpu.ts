import { QUIET, textPrompt } from '../../test/support/fakes/jobs.ts';
import { watchReadbacks } from '../../test/support/onnx/readbacks.ts';
import { measureCosts } from '../../workers/engine/checks/measure-costs.ts';
import { decodeModel } from '../../workers/engine/codec/model-proto.ts';
import type { LoadedModel } from '../../workers/engine/engine.ts';
import { type Network, tokensOf } from '../../workers/engine/network.ts';
import { planNetwork } from '../../workers/engine/rewrite/plan-network.ts';
import { openGpu, passBytesOn } from '../../workers/engine/session/gpu-device.ts';
import { greedyContinuation } from '../../workers/operations/complete/continuation.ts';
import { explain } from '../../workers/operations/explain/explain.ts';
import { qa } from '../../workers/operations/qa.ts';
import { semanticEmbed } from '../../workers/operations/semantic-embed.ts';
import { type BenchModel, explainJob, forwardOf, openBenchModel, sectionIds } from '../models.ts';
import type { GpuRow, NetworkName } from '../screen/tasks.ts';

/** Costs that are assumed on a software adapter, whose times say nothing of a card. */
const OF_A_CARD = { passMs: 10, positionMs: 0.0015, memoryBytes: 2 ** 30 };

/** Tokens of the pass that is compared with the file as it was exported. */
const TOKENS = 40;

/**
 * What a network costs on a GPU: a pass, and each task that it is for. On a software adapter tasks are short, and there are counts but
 * no times.
 */
export async function gpuRows(name: NetworkName): Promise<GpuRow[]> {
  const gpu = await openGpu();
  if (gpu === undefined) throw new Error('expected a browser with a WebGPU adapter, got one without');
  const on = { kind: 'webgpu', device: gpu.device } as const;
  const opened = await openBenchModel(name, on);
  const { network } = opened.loaded;
  const costs = gpu.isSoftware ? OF_A_CARD : await measureCosts(network, passBytesOn(gpu.device));
  const model = { ...opened.loaded, network: { ...network, costs } };
  const times = gpu.isSoftware ? {} : { msAPass: costs.passMs, usAPosition: 1000 * costs.positionMs };
  const rows: GpuRow[] = [{ network: `${name}, ${gpu.description}`, task: 'nodes', ...nodesOf(opened), ...times }];
  if (!gpu.isSoftware && network.shape.vocabulary > 0) {
    const forward = await forwardOf(opened.exported, TOKENS, on);
    for (let pass = 0; pass < 3; pass++) await forward(); // a GPU compiles shaders in the first
    rows.push({ network: name, task: `${TOKENS} tokens as exported, all logits`, ms: await msOf(forward) });
  }
  for (const { task, work } of tasksOf(name, gpu.isSoftware)) {
    await work(model);
    rows.push({ network: name, task, ...(await countedTask(model, work, gpu.isSoftware)) });
  }
  await network.release();
  return rows;
}

/** Nodes of the graph as it was exported and as it runs, those of branches left out. */
function nodesOf({ exported: { files, config } }: BenchModel) {
  const count = (file: Uint8Array) => decodeModel(file).nodes.length;
  return { exported: count(files.model), rewritten: count(planNetwork(files.model, config).skeleton) };
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
  const written = isSoftware ? 4 : 64;
  const beginning = { ids: sectionIds(12), embeddingOverrides: [], factors: undefined, mode: 'additive' as const };
  const limits = { maximumTokens: written, isEnd: () => false };
  return [
    ...lengths.map((tokens) => ({
      task: `explanation of ${tokens} tokens`,
      work: (loaded: LoadedModel) => explain(explainJob(tokens), loaded, QUIET),
    })),
    { task: `${written} written tokens`, work: ({ network }) => greedyContinuation(network, beginning, limits) },
  ];
}

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
  const beganMs = performance.now();
  const { counted } = await watchReadbacks(() => work({ ...model, network }));
  const ms = performance.now() - beganMs;
  const { readbacks, bytes } = counted;
  return {
    passes,
    positions,
    'readbacks a pass': readbacks / passes,
    'bytes a pass': bytes / passes,
    ...(!isSoftware && { ms }),
  };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}
