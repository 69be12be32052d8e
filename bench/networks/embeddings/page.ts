import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { askWorker } from '../ask-worker.ts';
import { byTurns, spread } from '../by-turns.ts';
import { measuredClient } from '../measured-client.ts';
import type { Asked, Embedded } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);

/** Embeds through the contract: router, worker and engine, as a request does. */
function ours(folder: string): (asked: Asked) => Promise<Embedded> {
  const client = measuredClient({ folder, contextTokens: 512, capabilities: ['embed', 'semantic_embed'] });
  return async ({ texts }) => {
    const began = performance.now();
    const prompts = [...texts];
    const asked = { model: 'measured', prompts, normalize: true, representation: 'symmetric' as const };
    const answer = await client.batchSemanticEmbed(asked);
    if (!answer.ok) throw new Error(answer.problem.message);
    const { embeddings } = answer.value;
    return { vectors: embeddings as number[][], ms: performance.now() - began };
  };
}

/** The same texts by turns, medians of the rounds. Each embeds once before, which loads the model. */
async function embeddings(folder: string, lengths: readonly number[], rounds: number) {
  const asked = { folder, texts: lengths.map(textOf) };
  const theirs = askWorker<Asked, Embedded>(
    new Worker(new URL('./theirs.worker.ts', import.meta.url), { type: 'module' }),
  );
  const own = ours(folder);
  const firsts = [await own(asked), await theirs(asked)] as const;
  const times = await byTurns(
    async () => (await own(asked)).ms,
    async () => (await theirs(asked)).ms,
    rounds,
  );
  const { middle: ratio, half } = spread(times.map((round) => round.theirs / round.ours));
  return {
    lightwell: spread(times.map((round) => round.ours)).middle,
    'transformers.js': spread(times.map((round) => round.theirs)).middle,
    ratio,
    'half of the ratios': half,
    difference: differenceOf(...firsts),
  };
}

/** So many tokens: words of the made tokenizer, and its mark at the end. */
function textOf(tokens: number, place: number): string {
  return Array.from({ length: tokens - 1 }, (_, at) => `w${10 + ((place * 7919 + at * 104_729) % 30_000)}`).join(' ');
}

function differenceOf(one: Embedded, other: Embedded): number {
  if (one.vectors.length !== other.vectors.length) throw new Error('the two gave different numbers of vectors');
  const each = one.vectors.flatMap((vector, index) =>
    vector.map((value, at) => Math.abs(value - (other.vectors[index]?.[at] ?? NaN))),
  );
  return each.reduce((most, difference) => (difference <= most ? most : difference), 0);
}

Object.assign(globalThis, { embeddings });
