import { createClient } from '../../../src/client/client.ts';
import type { Model } from '../../../src/models/model.ts';
import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { createService } from '../../../src/service/create-service.ts';
import { askWorker } from '../ask-worker.ts';
import type { Asked, Written } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);

/** Writes through the contract: router, worker and engine, as a request does. */
function ours(folder: string): (asked: Asked) => Promise<Written> {
  const model: Model = {
    ...{ name: 'measured', version: 'measured', description: '', folder, dtype: 'fp32', contextTokens: 2048 },
    capabilities: ['embed', 'explain'],
  };
  const service = createService({ baseUrl: `${location.origin}/`, models: [model], backend: 'wasm', preload: false });
  const client = createClient(service);
  return async ({ prompt, tokens }) => {
    const began = performance.now();
    const body = { model: 'measured', prompt, maximum_tokens: tokens, minimum_tokens: tokens };
    const answer = await client.complete(body, { onProgress: () => undefined });
    if (!answer.ok) throw new Error(answer.problem.message);
    const [first] = answer.value.completions;
    return { text: first?.completion ?? '', tokens: answer.value.num_tokens_generated, ms: performance.now() - began };
  };
}

function theirs(): (asked: Asked) => Promise<Written> {
  return askWorker(new Worker(new URL('./theirs.worker.ts', import.meta.url), { type: 'module' }));
}

/**
 * Tokens per second of both, and their ratio: medians of the rounds. In a round each writes once, and who begins takes turns, so
 * that what else uses the processor then slows both alike. Each writes once before, which loads the model.
 */
async function generation(folder: string, prompt: string, tokens: number, rounds: number) {
  const asked = { folder, prompt, tokens };
  const [own, other] = [ours(folder), theirs()];
  const texts = [(await own(asked)).text, (await other(asked)).text];
  const speeds: { readonly ours: number; readonly theirs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = speedOf(await (round % 2 === 0 ? own : other)(asked));
    const second = speedOf(await (round % 2 === 0 ? other : own)(asked));
    speeds.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  const ratios = speeds.map((round) => round.ours / round.theirs);
  return {
    tokens,
    lightwell: quantile(
      speeds.map((round) => round.ours),
      0.5,
    ),
    'transformers.js': quantile(
      speeds.map((round) => round.theirs),
      0.5,
    ),
    ratio: quantile(ratios, 0.5),
    'half of the ratios': [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    'same text': texts[0]?.trim() === texts[1]?.trim() ? 'yes' : 'no',
  };
}

function speedOf({ tokens, ms }: Written): number {
  return (1000 * tokens) / ms;
}

/** The value that so large a share of all is below. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
}

Object.assign(globalThis, { generation });
