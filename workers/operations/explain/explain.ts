import type { Explained, ExplainJob } from '../../../src/protocol/jobs.ts';
import { joined } from '../../kernels/float-arrays.ts';
import type { Network, KvCache } from '../../engine/network.ts';
import { denseFactors } from '../../kernels/attention-control.ts';
import { activationBytes, planBatches, type Batch } from '../../kernels/batch-plan.ts';
import { influenceOf } from '../../kernels/influence.ts';
import { assemble, type SectionInfluence } from './explanation.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { JobContext } from '../context.ts';
import { sectionsOfRequest, type Section } from './sections.ts';
import { spreader } from '../prompt/sequence.ts';
import { fedIds, targetSequence, type TargetSequence } from '../prompt/target-sequence.ts';

/** Activations a pass may take even where a forward pass takes less: larger batches cost less each. Measured by `npm run bench`. */
const LEAST_BUDGET_BYTES = 24 * 2 ** 20;

/** What a pass costs to start is soon paid on a processor, and dear on a GPU. Measured by `npm run bench` for WebAssembly. */
const WASTE = { wasm: 0.05, webgpu: 1 } as const;

/**
 * Influence of every section of the prompt on the target: AtMan.
 *
 * One unmodified pass keeps its keys and values; then the sections, several to a pass, each with the attention paid to
 * its positions scaled. A change at a position cannot reach those before it, so a pass starts at its first change.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source AtMan, arXiv:2301.08110, section 3; contract facts §2
 */
export async function explain(job: ExplainJob, model: LoadedModel, context: JobContext): Promise<Explained> {
  const sequence = await targetSequence(job.prompt, { text: job.target, path: 'target' }, model);
  const sections = sectionsOfRequest(sequence, job);
  await context.checkpoint();
  const changes = await changesOf(sequence, sections, { job, model });
  const passes = createPasses(sequence, changes, { job, network: model.network });
  const influences: SectionInfluence[] = sections.map(() => null);
  const finish = () => assemble({ sequence, sections, influences, job, show: model.tokenizer.show });
  const original = await passes.original();
  try {
    let done = changes.unchanged.length;
    for (const section of changes.unchanged) influences[section] = new Float64Array(sequence.target.ids.length);
    for (const batch of passes.plan()) {
      await context.checkpoint();
      const suppressed = await passes.suppressed(batch, original.cached);
      batch.members.forEach((member, i) => {
        influences[changes.at(member)] = influenceOf(suppressed[i] ?? [], original.logProbabilities);
      });
      done += batch.members.length;
      context.progress({ phase: 'run', done, total: sections.length, partial: [...finish()] });
    }
  } finally {
    original.cached?.release();
  }
  return { explanations: finish() };
}

/** Factors of all positions for each section that changes any, and the sections that change none. */
interface Changes {
  readonly base: Float32Array;
  readonly changed: readonly { readonly section: number; readonly start: number; readonly factors: Float32Array }[];
  readonly unchanged: readonly number[];
  /** Section of a changed entry. */
  at(index: number): number;
}

interface Setting {
  readonly job: ExplainJob;
  readonly model: LoadedModel;
}

/** Item controls and a section's own factor multiply; scores are relative to the controlled prompt. Decided here. */
async function changesOf(sequence: TargetSequence, sections: readonly Section[], { job, model }: Setting) {
  const ids = fedIds(sequence);
  const spreads = await spreader(model, ids, job.controls, sequence.embeddingOverrides);
  const base = denseFactors(spreads(sequence.controls), ids.length);
  const all = sections.map(({ factors }, section) => {
    const dense = denseFactors(spreads(factors), ids.length);
    const start = dense.findIndex((factor) => factor !== 1);
    return { section, start, factors: dense.map((factor, i) => factor * (base[i] ?? 1)) };
  });
  const changed = all.filter(({ start }) => start >= 0);
  const unchanged = all.filter(({ start }) => start < 0).map(({ section }) => section);
  return { base, changed, unchanged, at: (index: number) => changed[index]?.section ?? -1 } satisfies Changes;
}

/** The passes of one explanation. */
function createPasses(sequence: TargetSequence, changes: Changes, { job, network }: PassSetting) {
  const targets = Int32Array.from(sequence.target.ids);
  const ids = Int32Array.from(fedIds(sequence));
  const mode = job.controls.logAdditive ? ('additive' as const) : ('multiplicative' as const);
  const { sharesKvCache } = network.shape;
  const { embeddingOverrides } = sequence;
  const sizes = { size: network.shape, total: ids.length, rows: targets.length };

  /** Log-probabilities of the target, from position `start` on behind a prefix. */
  const predict = async (
    factors: readonly Float32Array[],
    start: number,
    keep: KvCache | undefined,
    keepKvCache = false,
  ) => {
    const { logProbabilities, kvCache } = await network.run({
      batch: factors.length,
      ids: ids.subarray(start),
      sameIds: true,
      embeddingOverrides,
      ...(keep && start > 0 && { cached: { kvCache: keep, tokens: start } }),
      perturbation: { mode, factors: joined(factors) },
      rows: targets.length,
      targets,
      keepKvCache,
    });
    if (!logProbabilities) throw new RangeError('the network did not answer what was asked for');
    return { logProbabilities, cached: kvCache };
  };
  return {
    original: () => predict([changes.base], 0, undefined, sharesKvCache),
    plan(): Batch[] {
      const budget = Math.max(activationBytes(network.shape, ids.length, ids.length, ids.length), LEAST_BUDGET_BYTES);
      // A pass begins at the first predicting position at the latest, or that position could not be read.
      const starts = changes.changed.map(({ start }) => Math.min(start, sequence.ids.length - 1));
      return planBatches(starts, { ...sizes, budget, waste: WASTE[network.backend.kind], sharesKvCache });
    },
    async suppressed({ cachedTokens: start, members }: Batch, cached: KvCache | undefined): Promise<Float32Array[]> {
      const factors = members.map((member) => changes.changed[member]?.factors ?? changes.base);
      const { logProbabilities: flat } = await predict(factors, start, cached);
      return members.map((_, i) => flat.subarray(i * targets.length, (i + 1) * targets.length));
    },
  };
}

interface PassSetting {
  readonly job: ExplainJob;
  readonly network: Network;
}
