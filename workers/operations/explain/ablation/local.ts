import type { ExplainJob, ExplainOutput } from '../../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../../engine/engine.ts';
import type { KvCache } from '../../../engine/network.ts';
import { sectionsOfItems } from '../../../kernels/text-sections.ts';
import type { TaskContext } from '../../../serving/serve.ts';
import { type TargetSequence, withTarget } from '../../predict.ts';
import { predictingSequence } from '../../prompt/sequence.ts';
import { createPasses, passInputFor } from '../passes.ts';
import { explainByAblation } from './ablation.ts';
import type { LikelihoodSource } from './likelihoods.ts';

/**
 * Explains by ablation with a model that is loaded here. A pass takes what it shares with the beginning of the whole prompt from
 * that one's KV cache.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function explainByAblationHere(
  job: ExplainJob,
  model: LoadedModel,
  context: TaskContext,
): Promise<ExplainOutput> {
  const target = { text: job.target, path: 'target' };
  const sequenceOf = async (prompt: ExplainJob['prompt']) =>
    withTarget(await predictingSequence(prompt, model), target, model);
  const whole = await sequenceOf(job.prompt);
  const isByToken = job.target_granularity === 'token';
  const plan = {
    sections: sectionsOfItems(whole.items, job.prompt_granularity, job.explained_items),
    targetTokens: isByToken ? whole.target.ids.map((id) => model.tokenizer.show(id)) : [job.target],
    foilTokens: [],
  };
  await context.checkpoint();
  const { kvCache, logProbabilities } = await passesOver(whole, model).original();
  const source: LikelihoodSource = {
    inFlight: model.network.inFlight,
    async logProbabilities(prompt, signal) {
      const sequence = await sequenceOf(prompt);
      const cachedTokens = sharedStart(sequence, whole, kvCache);
      const batch = { cachedTokens, suppressions: [NO_SUPPRESSION] };
      const [row = new Float32Array(0)] = await passesOver(sequence, model).suppressed(batch, kvCache, signal);
      return row;
    },
  };
  try {
    return await explainByAblation({ job, plan, source, whole: logProbabilities, context });
  } finally {
    kvCache?.release();
  }
}

const NO_SUPPRESSION = { section: 0, start: 0, factors: new Float64Array(0) };

function passesOver(sequence: TargetSequence, { network }: LoadedModel) {
  const base = new Float64Array(sequence.fed.ids.length).fill(1);
  const input = passInputFor(sequence, { mode: 'additive', base, changed: [], unchanged: [] });
  return createPasses({ ...input, factorsOf: () => base }, network);
}

/** Positions at the start of both, but none that predicts. */
function sharedStart({ ids }: TargetSequence, whole: TargetSequence, kvCache: KvCache | undefined): number {
  if (!kvCache) return 0;
  const most = Math.min(ids.length, whole.ids.length) - 1;
  const differs = ids.findIndex((id, at) => at >= most || id !== whole.ids[at]);
  return Math.max(0, differs);
}
