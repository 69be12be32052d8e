import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { askWorker } from '../ask-worker.ts';
import { byTurns, spread } from '../by-turns.ts';
import { measuredClient } from '../measured-client.ts';
import type { Asked, Written } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);

/** Writes through the contract: router, worker and engine, as a request does. */
function ours({ folder, dtype }: Asked): (asked: Asked) => Promise<Written> {
  const client = measuredClient({ folder, dtype, contextTokens: 2048, capabilities: ['embed', 'explain'] });
  return async ({ prompt, tokens }) => {
    const began = performance.now();
    const body = { model: 'measured', prompt, maximum_tokens: tokens, minimum_tokens: tokens };
    const answer = await client.complete(body, { onProgress: () => undefined });
    if (!answer.ok) throw new Error(answer.problem.message);
    const { completions, num_tokens_generated: count, num_tokens_prompt_total: promptTokens } = answer.value;
    return { text: completions[0]?.completion ?? '', tokens: count, promptTokens, ms: performance.now() - began };
  };
}

function theirs(): (asked: Asked) => Promise<Written> {
  return askWorker(new Worker(new URL('./theirs.worker.ts', import.meta.url), { type: 'module' }));
}

/** Milliseconds of both, and their ratio: medians of the rounds. Each writes once before, which loads the model. */
async function generation(asked: Asked, rounds: number) {
  const [own, other] = [ours(asked), theirs()];
  const first = await own(asked);
  const isSame = first.text.trim() === (await other(asked)).text.trim();
  const times = await byTurns(
    async () => perToken(await own(asked), asked),
    async () => perToken(await other(asked), asked),
    rounds,
  );
  const { middle, half } = spread(times.map((round) => round.ours / round.theirs));
  const [lightwell, library] = [times.map((round) => round.ours), times.map((round) => round.theirs)];
  return {
    tokens: asked.tokens,
    promptTokens: first.promptTokens,
    ours: spread(lightwell).middle,
    theirs: spread(library).middle,
    ratio: middle,
    half,
    isSame,
  };
}

/** Milliseconds for as many tokens as were asked for. */
function perToken({ tokens, ms }: Written, asked: Asked): number {
  return (ms * asked.tokens) / tokens;
}

Object.assign(globalThis, { generation });
