import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { askWorker } from '../ask-worker.ts';
import { byTurns, spread } from '../by-turns.ts';
import { measuredClient } from '../measured-client.ts';
import type { Asked, Written } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);

/** Writes through the contract: router, worker and engine, as a request does. */
function ours(folder: string): (asked: Asked) => Promise<Written> {
  const client = measuredClient({ folder, contextTokens: 2048, capabilities: ['embed', 'explain'] });
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
 * Tokens per second of both, and their ratio: medians of the rounds. Each writes once before, which loads the model.
 */
async function generation(folder: string, prompt: string, tokens: number, rounds: number) {
  const asked = { folder, prompt, tokens };
  const [own, other] = [ours(folder), theirs()];
  const texts = [(await own(asked)).text, (await other(asked)).text];
  const speeds = await byTurns(
    async () => speedOf(await own(asked)),
    async () => speedOf(await other(asked)),
    rounds,
  );
  const { middle: ratio, half } = spread(speeds.map((round) => round.ours / round.theirs));
  return {
    tokens,
    lightwell: spread(speeds.map(({ ours: speed }) => speed)).middle,
    'transformers.js': spread(speeds.map(({ theirs: speed }) => speed)).middle,
    ratio,
    'half of the ratios': half,
    'same text': texts[0]?.trim() === texts[1]?.trim() ? 'yes' : 'no',
  };
}

function speedOf({ tokens, ms }: Written): number {
  return (1000 * tokens) / ms;
}

Object.assign(globalThis, { generation });
