import type { JobKind, Jobs, PrepareJob, Preparation } from '../../src/protocol/jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import type { JobContext } from './context.ts';
import { embed } from './embed.ts';
import { explain } from './explain.ts';

/** One function for each kind of job. */
export type Operations = {
  readonly [K in JobKind]: (input: Jobs[K]['input'], context: JobContext) => Promise<Jobs[K]['output']>;
};

/** Where an operation gets its model from. */
export type ProvideModel = (wanted: PrepareJob, context: JobContext) => Promise<LoadedModel>;

/** The operations over models that `provide` loads or finds loaded. */
export function createOperations(provide: ProvideModel): Operations {
  return {
    prepare: async (job, context) => preparation(await provide(job, context)),
    embed: async (job, context) => embed(job, await provide(job, context), context),
    explain: async (job, context) => explain(job, await provide(job, context), context),
  };
}

function preparation({ network }: LoadedModel): Preparation {
  const { kind, threads, reason } = network.backend;
  return { backend: kind, threads, reason };
}
