import type { DocumentsKind, JobKind, Jobs } from '../../src/protocol/jobs.ts';
import type { PrepareJob, Preparation } from '../../src/protocol/model-job.ts';
import type { LoadedModel } from '../engine/engine.ts';
import type { JobContext, ModelSource } from './context.ts';
import { embed } from './embed/embed.ts';
import { evaluate } from './evaluate.ts';
import { explain } from './explain/explain.ts';
import { sayingWhatFits } from './fitting.ts';
import { predict } from './predict.ts';
import { semanticEmbed } from './semantic-embed/semantic-embed.ts';

/** One function for each of these kinds of job. */
export type Operations<Kind extends JobKind> = {
  readonly [K in Kind]: (input: Jobs[K]['input'], context: JobContext) => Promise<Jobs[K]['output']>;
};

/** What a job does with its model. */
type Operation<Job, Output> = (job: Job, model: LoadedModel, context: JobContext) => Promise<Output>;

/** The operations over models of a source. */
export function createOperations({ lend, unload }: ModelSource): Operations<Exclude<JobKind, DocumentsKind>> {
  const withModel =
    <Job extends PrepareJob, Output>(operation: Operation<Job, Output>) =>
    (job: Job, context: JobContext): Promise<Output> =>
      lend(job, context, (lent) => {
        const model = endingWith(context, lent);
        return sayingWhatFits(model, () => operation(job, model, context));
      });
  return {
    prepare: (job, context) => lend(job, context, async (model) => preparation(model)),
    unload: async ({ folder }) => {
      await unload(folder);
      return null;
    },
    tryThreads: async (job, context) => {
      const { tryThreads } = await import('./model/try-threads.ts');
      return tryThreads(job, context, lend);
    },
    inspect: async (job) => {
      const { inspect } = await import('./model/inspect.ts');
      return inspect(job);
    },
    embed: withModel(embed),
    explain: withModel(explain),
    evaluate: withModel(evaluate),
    complete: withModel(later(async () => (await import('./complete/complete.ts')).complete)),
    predict: withModel(predict),
    lens: withModel(later(async () => (await import('./lens.ts')).lens)),
    semanticEmbed: withModel(semanticEmbed),
    qa: withModel(later(async () => (await import('./qa/qa.ts')).qa)),
  };
}

/** An operation whose code is fetched when it is first asked for, because most visits never ask for it. */
function later<Job, Output>(load: () => Promise<Operation<Job, Output>>): Operation<Job, Output> {
  return async (job, model, context) => {
    const operation = await load();
    return operation(job, model, context);
  };
}

/** Every pass on another machine ends with the job that asks for it. */
function endingWith({ signal }: JobContext, model: LoadedModel): LoadedModel {
  const { network } = model;
  if (!signal || !network.inFlight) return model;
  return { ...model, network: { ...network, run: (run) => network.run({ ...run, signal: run.signal ?? signal }) } };
}

function preparation({ network }: LoadedModel): Preparation {
  const { kind, threads, reason } = network.backend;
  return { backend: kind, threads, reason };
}
