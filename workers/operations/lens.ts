import { FailureError } from '../../src/contract/failure.ts';
import type { Lensed, LensJob, LensLayer } from '../../src/protocol/likelihood/lens-job.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { joined } from '../kernels/float-arrays.ts';
import { likeliestTokens, logProbabilitiesOf, rankOf } from '../kernels/tokens/next-token.ts';
import type { JobContext } from './context.ts';
import { perturbationMode, sequenceControls } from './prompt/controls.ts';
import { IMAGE_TOKEN, predictingSequence, type Sequence } from './prompt/sequence.ts';
import { withTarget } from './prompt/target-sequence.ts';

/** Scores of all tokens are read for so many rows at once that a large vocabulary takes no more memory. */
const LOGITS_AT_ONCE = 2 ** 22;

/**
 * What the network would predict behind the last positions of a prompt if it ended at each of its layers: the hidden
 * states of one pass, through final norm and output embedding. At the last layer this is the network's own prediction.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG, or MISSING_CAPABILITY for an encoder and for a network whose
 *   graph has nothing between the last layer and the final norm
 * @source nostalgebraist 2020, "interpreting GPT: the logit lens"
 */
export async function lens(job: LensJob, model: LoadedModel, context: JobContext): Promise<Lensed> {
  const sequence = await predictingSequence(job.prompt, model);
  if (!model.network.shape.showsLayers)
    throw new FailureError(
      'MISSING_CAPABILITY',
      'model: expected one whose graph shows its layers, got one that computes its last layer and final norm in one operator',
    );
  const target = job.target === null ? null : firstTokenOf(job.target, sequence, model);
  const { layers, vocabulary, contextTokens } = model.network.shape;
  const positions = lastPositions(sequence, job.positions);
  const states = await statesAt(positions, sequence, job, model);
  await context.checkpoint();
  const rowsAtOnce = Math.max(1, Math.min(contextTokens, Math.floor(LOGITS_AT_ONCE / vocabulary)));
  const rows: Omit<LensLayer, 'layer'>[] = [];
  for (let first = 0; first < (layers + 1) * positions.length; first += rowsAtOnce) {
    for (const logits of await logitsOf(states, { first, rowsAtOnce }, model))
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

/** The target's first token behind the prompt. */
function firstTokenOf(text: string, sequence: Sequence, model: LoadedModel): number | null {
  return withTarget(sequence, { text, path: 'target' }, model).target.ids[0] ?? null;
}

/** Indices of the last `count` ids of the prompt. */
function lastPositions({ ids, specials }: Sequence, count: number): number[] {
  const first = Math.max(specials, ids.length - count);
  return Array.from({ length: ids.length - first }, (_, place) => first + place);
}

/** Hidden states at the positions, `[layers + 1, positions, width]`. */
async function statesAt(
  positions: readonly number[],
  sequence: Sequence,
  { controls }: LensJob,
  model: LoadedModel,
): Promise<Float32Array> {
  const { ids, embeddingOverrides } = sequence;
  const { factors } = await sequenceControls(sequence, controls, model);
  const rows = positions.map((position) => Float32Array.from(ids, (_, index) => Number(index === position)));
  const { pooled } = await model.network.run({
    batch: 1,
    ids: Int32Array.from(ids),
    embeddingOverrides,
    perturbation: { mode: perturbationMode(controls), factors },
    pooling: { weights: joined(rows), pools: positions.length, perSequence: false },
  });
  if (!pooled) throw new RangeError('the network did not answer what was asked for');
  return pooled;
}

/** Scores of all tokens for each of the states from the first on, `[vocabulary]` each. */
async function logitsOf(
  states: Float32Array,
  { first, rowsAtOnce }: { readonly first: number; readonly rowsAtOnce: number },
  { network }: LoadedModel,
): Promise<Float32Array[]> {
  const { width, vocabulary } = network.shape;
  const given = states.slice(first * width, (first + rowsAtOnce) * width);
  const rows = given.length / width;
  const { logits } = await network.run({ batch: 1, ids: new Int32Array(rows), rows, states: given, logits: true });
  if (!logits) throw new RangeError('the network did not answer what was asked for');
  return Array.from({ length: rows }, (_, row) => logits.subarray(row * vocabulary, (row + 1) * vocabulary));
}

function read(
  logits: Float32Array,
  { alternatives }: LensJob,
  target: number | null,
  { tokenizer }: LoadedModel,
): Omit<LensLayer, 'layer'> {
  const shown = (id: number, logProbability: number) => ({ token: tokenizer.show(id), logProbability });
  const logProbabilityOf = logProbabilitiesOf(logits);
  return {
    tokens: likeliestTokens(logits, alternatives, logProbabilityOf).map(({ id, logProbability }) =>
      shown(id, logProbability),
    ),
    target: target === null ? null : { ...shown(target, logProbabilityOf(target)), rank: rankOf(logits, target) },
  };
}

/** What stands at a position: a token, or a part of a picture. */
function shownAt(position: number, { ids, items }: Sequence, { tokenizer }: LoadedModel): string {
  const isPicture = items.some(
    ({ type, first, count }) => type === 'image' && position >= first && position < first + count,
  );
  return isPicture ? IMAGE_TOKEN : tokenizer.show(ids[position] ?? 0);
}
