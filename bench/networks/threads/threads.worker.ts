import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { computeRows } from '../../../workers/engine/checks/self-test.ts';
import { loadFiles } from '../../../workers/engine/loading/model-files.ts';
import type { Network, NetworkRun } from '../../../workers/engine/network.ts';
import { browserRuntime, browserRuntimeOn } from '../../../workers/engine/session/browser-runtime.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';
import { answerWith } from '../library.ts';
import { type Asked, SHAPES, type Timed } from './asked.ts';

trustScriptsIn(new URL('/', self.location.href).href);

interface Opened {
  readonly network: Network;
  readonly threads: number;
  readonly openMs: number;
}

let opened: Promise<Opened> | undefined;

answerWith(async ({ model, threads, passes }: Asked): Promise<Timed> => {
  const { network, ...known } = await (opened ??= open({ model, threads }));
  const ms: number[] = [];
  for (const shape of SHAPES) ms.push(await shortest(network, shape, passes));
  return { ...known, ms, values: await resultOf(network, { batch: 1, ids: ids(40) }) };
});

async function open({ model, threads: wanted }: Pick<Asked, 'model' | 'threads'>): Promise<Opened> {
  const folder = await loadFiles(model, () => undefined);
  const runtime = wanted === 'fewest' ? await browserRuntimeOn(1) : browserRuntime();
  const { threads } = runtime;
  const began = performance.now();
  const network = await openNetwork({
    ort: runtime.ort,
    files: folder.files,
    config: readNetworkConfig(folder.config),
    on: { kind: 'wasm' },
    backend: { kind: 'wasm', threads, reason: 'measured here' },
  });
  return { network, threads, openMs: performance.now() - began };
}

async function shortest(network: Network, { batch, tokens }: (typeof SHAPES)[number], passes: number): Promise<number> {
  const times: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    const began = performance.now();
    await resultOf(network, {
      batch,
      ids: Int32Array.from({ length: batch * tokens }, (_, at) => ids(tokens)[at % tokens] ?? 0),
    });
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

/** What a network gives at every position; of one that is run as it was exported, its first output. */
async function resultOf(network: Network, run: Pick<NetworkRun, 'batch' | 'ids'>): Promise<Float32Array> {
  const { keptBecause, outputs } = network.shape;
  if (keptBecause === undefined) return computeRows(network, run);
  const [first] = Object.values((await network.run({ ...run, outputs })).outputs ?? {});
  if (first === undefined) throw new RangeError('the network gave no output');
  return first.values;
}

/** Ids that all networks here know, no two neighbours alike. */
function ids(tokens: number): Int32Array {
  return Int32Array.from({ length: tokens }, (_, at) => 300 + ((at * 37) % 3000));
}
