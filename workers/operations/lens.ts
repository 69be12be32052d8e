import { FailureError } from '../../src/contract/failure.ts';
import type { Jobs } from '../../src/protocol/jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { requested } from '../engine/network.ts';
import { rankOf } from '../kernels/next-token.ts';
import type { TaskContext } from '../serving/serve.ts';
import { IMAGE_TOKEN, predictingSequence, type Sequence, sequenceControls } from './prompt/sequence.ts';
import { LOGITS_AT_ONCE, ratedToken, withTarget } from './predict.ts';

type LensJob = Jobs['lens']['input'];
type LensLayer = Jobs['lens']['output']['positions'][number]['layers'][number];

/**
 * The predictions of each layer after the last positions of a prompt: the hidden states of one pass, through final norm and
 * output embedding. Those of the last layer are the network's own.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG, or MISSING_CAPABILITY for an encoder and for a network whose
 *   graph has nothing between the last layer and the final norm
 * @source nostalgebraist 2020, "interpreting GPT: the logit lens"
 */
export async function lens(job: LensJob, model: LoadedModel, context: TaskContext): Promise<Jobs['lens']['output']> {
  const sequence = await predictingSequence(job.prompt, model);
  if (!model.network.shape.showsLayers)
    throw new FailureError(
      'MISSING_CAPABILITY',
      'model: expected one whose graph shows its layers, got one that computes its last layer and final norm in one operator',
    );
  const { target: text } = job;
  const target = text === null ? null : (withTarget(sequence, { text, path: 'target' }, model).target.ids[0] ?? null);
  const { layers, vocabulary, contextTokens } = model.network.shape;
  const first = Math.max(sequence.specials, sequence.ids.length - job.positions);
  const positions = [...sequence.ids.keys()].slice(first);
  const states = await statesAt(positions, sequence, job, model);
  await context.checkpoint();
  const rowsAtOnce = Math.max(1, Math.min(contextTokens, Math.floor(LOGITS_AT_ONCE / vocabulary)));
  const rows: Omit<LensLayer, 'layer'>[] = [];
  for (let row = 0; row < (layers + 1) * positions.length; row += rowsAtOnce) {
    for (const logits of await logitsOf(states, { first: row, rowsAtOnce }, model))
      rows.push(read(logits, job, target, model));
    await context.checkpoint();
  }
  return {
    positions: positions.map((position, place) => ({
      token: shownAt(position, sequence, model),
      layers: Array.from({ length: layers + 1 }, (_, layer) => ({
        layer,
        ...(rows[layer * positions.length + place] ?? { tokens: [], target: null }),
      })),
    })),
  };
}

/** Hidden states at the positions, `[layers + 1, positions, width]`. */
async function statesAt(
  positions: readonly number[],
  sequence: Sequence,
  job: LensJob,
  model: LoadedModel,
): Promise<Float32Array> {
  const { ids, embeddingOverrides } = sequence;
  const { mode, factors } = await sequenceControls(sequence, job, model);
  const weights = new Float32Array(positions.length * ids.length); // each position is a pool of its own
  positions.forEach((position, row) => (weights[row * ids.length + position] = 1));
  const { pooled } = await model.network.run({
    batch: 1,
    ids: Int32Array.from(ids),
    embeddingOverrides,
    perturbation: { mode, factors },
    pooling: { weights, pools: positions.length },
  });
  return requested(pooled);
}

/** Logits of at most `rowsAtOnce` states from the first on, `[vocabulary]` each. */
async function logitsOf(
  states: Float32Array,
  { first, rowsAtOnce }: { first: number; rowsAtOnce: number },
  { network }: LoadedModel,
): Promise<Float32Array[]> {
  const { width, vocabulary } = network.shape;
  const given = states.slice(first * width, (first + rowsAtOnce) * width);
  const rows = given.length / width;
  const answer = await network.run({ batch: 1, ids: new Int32Array(rows), rows, states: given, logits: true });
  const logits = requested(answer.logits);
  return Array.from({ length: rows }, (_, row) => logits.subarray(row * vocabulary, (row + 1) * vocabulary));
}

function read(
  logits: Float32Array,
  { alternatives }: LensJob,
  target: number | null,
  { tokenizer }: LoadedModel,
): Omit<LensLayer, 'layer'> {
  const { alternatives: tokens, ...rated } = ratedToken(logits, target ?? 0, alternatives, tokenizer);
  return { tokens, target: target === null ? null : { ...rated, rank: rankOf(logits, target) } };
}

/** The token at a position, or a mark for a part of a picture. */
function shownAt(position: number, { ids, items }: Sequence, { tokenizer }: LoadedModel): string {
  const isPicture = items.some(
    ({ type, first, count }) => type === 'image' && position >= first && position < first + count,
  );
  return isPicture ? IMAGE_TOKEN : tokenizer.show(ids[position] ?? 0);
}
