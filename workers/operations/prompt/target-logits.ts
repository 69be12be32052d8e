import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { KvCache } from '../../engine/network.ts';
import { perturbationMode, sequenceControls } from './controls.ts';
import type { TargetSequence } from './target-sequence.ts';

/** Scores of all tokens at the predicting positions are read in parts of so many, so that a long text takes no more memory. */
const LOGITS_AT_ONCE = 2 ** 22;

/** A target token and the scores of all tokens in its place. */
export interface TargetLogits {
  readonly target: number;
  /** `[vocabulary]`, a view that is valid until the next part */
  readonly logits: Float32Array;
}

/**
 * The scores at each target token, given all before it, in parts of consecutive tokens. Each part goes on behind the last
 * where the network can keep what it computed.
 */
export async function* targetLogits(
  sequence: TargetSequence,
  controls: ControlOptions,
  model: LoadedModel,
): AsyncGenerator<readonly TargetLogits[]> {
  const { network } = model;
  const { vocabulary, sharesKvCache } = network.shape;
  const ids = Int32Array.from(sequence.fed.ids);
  const { factors } = await sequenceControls(sequence.fed, controls, model);
  const mode = perturbationMode(controls);
  const targets = sequence.target.ids;
  const rowsAtOnce = Math.max(1, Math.floor(LOGITS_AT_ONCE / vocabulary));
  let past: KvCache | undefined;
  try {
    for (let done = 0; done < targets.length; done += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, targets.length - done);
      const end = sequence.ids.length + done + rows - 1; // a token is predicted where the one before it is fed
      const start = past?.tokens ?? 0;
      const { logits, kvCache } = await network.run({
        batch: 1,
        ids: ids.subarray(start, end),
        embeddingOverrides: sequence.embeddingOverrides,
        ...(past && { cached: { kvCache: past, tokens: start } }),
        perturbation: { mode, factors: factors.subarray(0, end) },
        rows,
        logits: true,
        keepKvCache: sharesKvCache && end < ids.length,
      });
      past?.release();
      past = kvCache;
      if (!logits) throw new RangeError('the network did not answer what was asked for');
      yield targets.slice(done, done + rows).map((target, row) => ({
        target,
        logits: logits.subarray(row * vocabulary, (row + 1) * vocabulary),
      }));
    }
  } finally {
    past?.release();
  }
}
