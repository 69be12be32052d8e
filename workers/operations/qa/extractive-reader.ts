import type { LoadedModel } from '../../engine/engine.ts';
import { SPAN_OUTPUTS } from '../../engine/rewrite/plan-network.ts';
import type { NamedOutput, NetworkRun } from '../../engine/network.ts';
import { bestSpan, score, scoreOfMargin } from '../../kernels/answer-span.ts';
import { denseFactors } from '../../kernels/attention-control.ts';
import { planPaddedBatches } from '../../kernels/batches/padded-batches.ts';
import { questionOf } from './question.ts';
import type { Found, Passage, Reader } from './reader.ts';

/** More passages at a time are read no faster, and an abort waits longer. Measured on WebAssembly with the embedded reader. */
const MOST_PASSAGES = 8;

/** Activations a pass may take. */
const BUDGET_BYTES = 64 * 2 ** 20;

/** Padding that is worth a larger batch, as a share of what is computed: it costs time on a processor, hardly any on a GPU. */
const WASTE = { wasm: 0.15, webgpu: 1, remote: 1 } as const;

/** How a margin becomes a probability; found on held-out questions and kept in `config.json` as `answer_calibration`. */
interface Calibration {
  readonly scale: number;
  readonly bias: number;
}

/**
 * Points at the span that answers best: the question and a passage side by side, with the special tokens the model
 * expects. The score is the sigmoid of how far the span is above "no answer here", calibrated where the model says how.
 *
 * @throws {FailureError} PROMPT_TOO_LONG, INVALID_REQUEST for the query
 * @source Devlin et al. 2019 (BERT), section 4.3
 */
export function extractiveReader(query: string, model: LoadedModel): Reader {
  const { network, tokenizer } = model;
  const { question, room } = questionOf(query, model, tokenizer.pair([], []).ids.length);
  const calibration = calibrationOf(model.config);
  return {
    passageTokens: room,
    plan: (lengths) =>
      planPaddedBatches(lengths, {
        size: network.shape,
        budget: BUDGET_BYTES,
        waste: WASTE[network.backend.kind],
        takesPadding: network.shape.takesPadding,
        mostMembers: MOST_PASSAGES,
      }),
    isSelective: false,
    async read(passages) {
      const pairs = passages.map(({ ids }) => tokenizer.pair(question.ids, ids));
      const { outputs } = await network.run({
        ...padded(pairs, network.shape.paddingId),
        ...perturbation(passages, pairs),
        outputs: SPAN_OUTPUTS,
      });
      const [start, end] = SPAN_OUTPUTS.map((name) => rowsOf(outputs?.[name], passages.length));
      return passages.map((passage, i) => {
        const first = pairs[i]?.second ?? 0;
        return foundIn(passage, { start: start?.(i) ?? none, end: end?.(i) ?? none, first, calibration });
      });
    },
  };
}

const none = new Float32Array();

function calibrationOf(config: object): Calibration {
  const kept: unknown = Reflect.get(config, 'answer_calibration');
  const numberOr = (name: keyof Calibration, otherwise: number) => {
    const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined;
    return typeof value === 'number' ? value : otherwise;
  };
  return { scale: numberOr('scale', 1), bias: numberOr('bias', 0) };
}

interface PairedIds {
  readonly ids: readonly number[];
  readonly segments: readonly number[];
  readonly second: number;
}

/** All sequences padded on the right to the longest; the network is told where each ends. */
function padded(
  pairs: readonly PairedIds[],
  paddingId: number,
): Pick<NetworkRun, 'batch' | 'ids' | 'segments' | 'lengths'> {
  const tokens = longestOf(pairs);
  const ids = new Int32Array(pairs.length * tokens).fill(paddingId);
  const segments = new Int32Array(ids.length);
  pairs.forEach((pair, i) => {
    ids.set(pair.ids, i * tokens);
    segments.set(pair.segments, i * tokens);
  });
  const lengths = Int32Array.from(pairs, (pair) => pair.ids.length);
  return { batch: pairs.length, ids, segments, ...(lengths.some((length) => length < tokens) && { lengths }) };
}

function longestOf(pairs: readonly PairedIds[]): number {
  return pairs.reduce((most, { ids }) => Math.max(most, ids.length), 0);
}

/** Controls of prompt documents, at their places in the padded sequences. */
function perturbation(passages: readonly Passage[], pairs: readonly PairedIds[]): Pick<NetworkRun, 'perturbation'> {
  if (!passages.some(({ factors }) => factors)) return {};
  const tokens = longestOf(pairs);
  const all = new Float64Array(pairs.length * tokens).fill(1);
  passages.forEach(({ factors = new Map<number, number>(), ids }, i) => {
    all.set(denseFactors(factors, ids.length), i * tokens + (pairs[i]?.second ?? 0));
  });
  return { perturbation: { mode: 'additive', factors: all } };
}

function rowsOf(output: NamedOutput | undefined, batch: number): (row: number) => Float32Array {
  if (!output) throw new RangeError('the network did not answer what was asked for');
  const width = output.values.length / batch;
  return (row) => output.values.subarray(row * width, (row + 1) * width);
}

interface Logits {
  readonly start: Float32Array;
  readonly end: Float32Array;
  /** Position of the passage's first token. */
  readonly first: number;
  readonly calibration: Calibration;
}

/** A token that shows nothing, such as one that stands for what the tokeniser does not know, cannot bound an answer. */
function foundIn({ text, spans }: Passage, { start, end, first, calibration }: Logits): Found {
  const allowed = Array.from({ length: first }, () => false);
  allowed.push(...spans.map((span) => text.slice(span.start, span.start + span.length).trim() !== ''));
  const best = bestSpan(start, end, allowed);
  const [from, to] = [spans[(best?.start ?? 0) - first], spans[(best?.end ?? 0) - first]];
  if (!best || !from || !to) return { answer: '', score: score(0) };
  const found = text.slice(from.start, to.start + to.length);
  const answer = found.trim();
  const span = { start: from.start + found.length - found.trimStart().length, length: answer.length };
  return { answer, score: scoreOfMargin(best.margin, calibration), span };
}
