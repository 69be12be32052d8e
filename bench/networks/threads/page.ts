import { embeddedModels } from '../../../src/models/catalogue.ts';
import type { Model } from '../../../src/models/model.ts';
import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { differenceOf } from '../../../workers/kernels/float-arrays.ts';
import { askWorker } from '../ask-worker.ts';
import { spread } from '../by-turns.ts';
import { type Asked, SHAPES, type Timed } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);

/** Three of the app, and one of random weights. */
function modelsOf(folder: string): readonly Model[] {
  const random = {
    name: 'random',
    version: 'random',
    description: '',
    folder,
    dtype: 'fp32',
    contextTokens: 2048,
  } as const;
  return [...embeddedModels(`${location.origin}/models/`), { ...random, capabilities: ['explain'] }];
}

const start = () =>
  askWorker<Asked, Timed>(new Worker(new URL('./threads.worker.ts', import.meta.url), { type: 'module' }));

/**
 * Time of passes on one thread over that on as many as a page takes: each number in a worker of its own, by turns, the median of the
 * rounds' ratios.
 *
 * @param index  of the model
 * @returns undefined behind the last model
 */
async function threads(folder: string, index: number, rounds: number) {
  const model = modelsOf(folder)[index];
  if (model === undefined) return undefined;
  const [fewest, most] = [start(), start()];
  const ask = (threads: Asked['threads'], passes: number) =>
    (threads === 'fewest' ? fewest : most)({ model, threads, passes });
  const first = { fewest: await ask('fewest', 1), most: await ask('most', 1) };
  const ratios: number[][] = SHAPES.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const [one, many] = [await ask('fewest', 4), await ask('most', 4)];
    ratios.forEach((each, at) => each.push((one.ms[at] ?? NaN) / (many.ms[at] ?? NaN)));
  }
  return {
    model: model.name,
    threads: `${first.fewest.threads} ÷ ${first.most.threads}`,
    ...Object.fromEntries(
      SHAPES.map(({ batch, tokens }, at) => [`${batch} × ${tokens}`, spread(ratios[at] ?? []).middle.toFixed(2)]),
    ),
    'ms to open': Math.round(first.fewest.openMs),
    difference: differenceOf(first.fewest.values, first.most.values).toExponential(1),
  };
}

Object.assign(globalThis, { threads });
