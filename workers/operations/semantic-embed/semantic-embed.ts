import { FailureError } from '../../../src/contract/failure.ts';
import type { SemanticEmbedded, SemanticEmbedJob } from '../../../src/protocol/embedding-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { activationBytes } from '../../kernels/batches/batch-plan.ts';
import { planPaddedBatches } from '../../kernels/batches/padded-batches.ts';
import { normalized } from '../../kernels/pooling.ts';
import type { JobContext } from '../context.ts';
import { inFittingParts } from '../fitting.ts';
import { perturbationMode } from '../prompt/controls.ts';
import { representationFrame, weighedSequence, type WeighedSequence } from './represented.ts';
import { vectorsOf } from './sentence-vectors.ts';

/**
 * Activations a pass may take even where the longest prompt alone takes less. Of 96 texts of 32 tokens, a network of
 * MiniLM's shape takes on a processor 6 % less of its time in passes of 8 than of 32, and 15 % less than in one:
 * activations then stay in its caches. A GPU is the faster the more it has to do.
 */
const LEAST_BUDGET_BYTES = { wasm: 12 * 2 ** 20, webgpu: 32 * 2 ** 20, remote: 32 * 2 ** 20 } as const;

/** Padding that is worth a larger batch, as a share of what is computed: it costs time on a processor, hardly any on a GPU. */
const WASTE = { wasm: 0.15, webgpu: 1, remote: 1 } as const;

/**
 * One vector for each prompt: the network's own `sentence_embedding`, else its last states pooled as the folder says.
 *
 * @throws {FailureError} INVALID_REQUEST for more dimensions than the model has, and what `sequenceOf` throws, with the
 *   prompt's number in the path
 * @source interface.md, POST /batch_semantic_embed
 */
export async function semanticEmbed(
  job: SemanticEmbedJob,
  model: LoadedModel,
  context: JobContext,
): Promise<SemanticEmbedded> {
  const sequences = await sequencesOf(job, model, context);
  const vectors: Float32Array[] = sequences.map(() => new Float32Array(0));
  let done = 0;
  for (const batch of batchesOf(sequences, model)) {
    await context.checkpoint();
    const members = batch.map((index) => sequences[index]).filter((sequence) => sequence !== undefined);
    const found = await inFittingParts(members, (part) =>
      vectorsOf(part, model, { mode: perturbationMode(job.controls), representation: job.representation }),
    );
    batch.forEach((index, place) => (vectors[index] = finished(found[place] ?? new Float32Array(0), job)));
    done += batch.length;
    context.progress({ phase: 'run', done, total: sequences.length });
  }
  return { vectors, tokenCount: sequences.reduce((sum, { counted }) => sum + counted, 0) };
}

async function sequencesOf(job: SemanticEmbedJob, model: LoadedModel, context: JobContext): Promise<WeighedSequence[]> {
  const frame = representationFrame(model, job.representation);
  const sequences: WeighedSequence[] = [];
  for (const prompt of job.prompts) {
    sequences.push(await weighedSequence(prompt, model, frame, job.controls));
    await context.checkpoint();
  }
  return sequences;
}

/** Pictures stand at the same place in every sequence of a pass, so that a prompt with one goes alone. */
function batchesOf(sequences: readonly WeighedSequence[], { network }: LoadedModel): number[][] {
  const [withPictures, texts] = [true, false].map((wanted) =>
    [...sequences.keys()].filter((index) => (sequences[index]?.embeddingOverrides.length ?? 0) > 0 === wanted),
  );
  const lengths = (texts ?? []).map((index) => sequences[index]?.ids.length ?? 0);
  const longest = Math.max(0, ...lengths);
  const budget = Math.max(
    activationBytes(network.shape, longest, longest, 0),
    LEAST_BUDGET_BYTES[network.backend.kind],
  );
  const { takesPadding } = network.shape;
  const options = { size: network.shape, budget, waste: WASTE[network.backend.kind], takesPadding };
  const plans = planPaddedBatches(lengths, options).map((batch) => batch.map((place) => texts?.[place] ?? place));
  return [...plans, ...(withPictures ?? []).map((index) => [index])];
}

/** The leading dimensions stand on their own; they have length 1 again only when that is asked for. */
function finished(vector: Float32Array, { compressToSize, normalize }: SemanticEmbedJob): Float32Array {
  if (compressToSize !== null && compressToSize > vector.length)
    throw new FailureError(
      'INVALID_REQUEST',
      `compress_to_size: expected at most the ${vector.length} dimensions of the model, got ${compressToSize}`,
    );
  const kept = compressToSize === null ? vector : vector.slice(0, compressToSize);
  return normalize ? normalized(kept) : kept;
}
