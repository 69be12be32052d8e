import type { DocumentsKind, JobKind, Jobs } from '../../src/protocol/jobs.ts';
import type { PrepareJob, Preparation } from '../../src/protocol/model-job.ts';
import type { LoadedModel } from '../engine/engine.ts';
import type { JobContext } from './context.ts';
import { embed } from './embed.ts';
import { evaluate } from './evaluate.ts';
import { explain } from './explain/explain.ts';
import { predict } from './predict.ts';
import { qa } from './qa/qa.ts';
import { semanticEmbed } from './semantic-embed/semantic-embed.ts';

/** One function for each of these kinds of job. */
export type Operations<Kind extends JobKind> = {
  readonly [K in Kind]: (input: Jobs[K]['input'], context: JobContext) => Promise<Jobs[K]['output']>;
};

/** Where an operation gets its model from. */
export type ProvideModel = (wanted: PrepareJob, context: JobContext) => Promise<LoadedModel>;

/** The operations over models that `provide` loads or finds loaded. */
export function createOperations(provide: ProvideModel): Operations<Exclude<JobKind, DocumentsKind>> {
  return {
    prepare: async (job, context) => preparation(await provide(job, context)),
    embed: async (job, context) => embed(job, await provide(job, context), context),
    explain: async (job, context) => explain(job, await provide(job, context), context),
    evaluate: async (job, context) => evaluate(job, await provide(job, context), context),
    predict: async (job, context) => predict(job, await provide(job, context), context),
    semanticEmbed: async (job, context) => semanticEmbed(job, await provide(job, context), context),
    qa: async (job, context) => qa(job, await provide(job, context), context),
  };
}

function preparation({ network }: LoadedModel): Preparation {
  const { kind, threads, reason } = network.backend;
  return { backend: kind, threads, reason };
}
