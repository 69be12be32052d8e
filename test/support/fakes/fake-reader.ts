import type { LoadedModel } from '../../../workers/engine/engine.ts';
import type { NetworkAnswer, NetworkRun } from '../../../workers/engine/network.ts';
import { createFakeModel, type Recorded } from './fake-model.ts';

/** What a start or end is worth where the network points at it, and elsewhere; "no answer here" is worth 0. */
const POINTED = 2;

/**
 * A reader that anyone can check by eye: it points at the words of a passage that begin with a capital letter and do not
 * stand in the question.
 */
export function createFakeReader({ contextTokens = 512, takesPadding = true, delayMs = 0 } = {}): LoadedModel &
  Recorded {
  const { network, ...model } = createFakeModel({ contextTokens, sharesKvCache: false });
  const shape = { ...network.shape, vocabulary: 0, outputs: ['start_logits', 'end_logits'], takesPadding };
  const run = async (asked: NetworkRun): Promise<NetworkAnswer> => {
    model.runs.push(asked);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const tokens = asked.ids.length / asked.batch;
    const rows = Array.from({ length: asked.batch }, (_, row) => pointed(asked, row, tokens, model.tokenizer.show));
    const named = (which: 'start' | 'end') => ({
      dimensions: [asked.batch, tokens],
      values: Float32Array.from(rows.flatMap((row) => row[which])),
    });
    return { outputs: { start_logits: named('start'), end_logits: named('end') } };
  };
  return { ...model, network: { ...network, shape, run } };
}

/** Logits of one sequence, padding included. */
function pointed({ ids, segments, lengths }: NetworkRun, row: number, tokens: number, show: (id: number) => string) {
  const from = row * tokens;
  const length = lengths?.[row] ?? tokens;
  const pieces = Array.from({ length }, (_, i) => show(ids[from + i] ?? 0));
  const inPassage = (i: number) => i < length && segments?.[from + i] === 1;
  const question = pieces.filter((_, i) => !inPassage(i)).join('');
  const starts = (i: number) => !/^\p{L}/u.test(pieces[i] ?? '') || !inPassage(i - 1);
  const wordFrom = (i: number) => {
    let end = i + 1;
    while (end < length && !starts(end)) end++;
    return { text: pieces.slice(i, end).join('').trim(), last: end - 1 };
  };
  const start = new Array<number>(tokens).fill(-POINTED);
  const end = new Array<number>(tokens).fill(-POINTED);
  start[0] = end[0] = 0;
  for (let i = 1; i < length; i++) {
    const word = wordFrom(i);
    if (!inPassage(i) || !starts(i) || !/^\p{Lu}/u.test(word.text) || question.includes(word.text)) continue;
    start[i] = POINTED;
    end[word.last] = POINTED;
  }
  return { start, end };
}
