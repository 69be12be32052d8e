import { embeddedModels } from '../../../src/models/catalogue.ts';
import type { Model } from '../../../src/models/model.ts';
import type { ExplainJob, Jobs } from '../../../src/protocol/jobs.ts';
import type { JobControl, JobPrompt } from '../../../src/protocol/model-job.ts';
import type { TaskContext } from '../../../workers/serving/serve.ts';

/** Nobody waits, listens or cancels. */
export const QUIET: TaskContext = {
  checkpoint: async () => undefined,
  listens: false,
  progress: () => undefined,
  signal: new AbortController().signal,
};

/** A prompt of one text. */
export function textPrompt(text: string, controls: readonly JobControl[] = []): JobPrompt {
  return { path: 'prompt', items: [{ type: 'text', text, controls }] };
}

/** A prompt of token ids. */
export function idsPrompt(ids: readonly number[], controls: readonly Omit<JobControl, 'overlap'>[] = []): JobPrompt {
  const whole = controls.map((control) => ({ ...control, overlap: 'complete' as const }));
  return { path: 'prompt', items: [{ type: 'token_ids', ids, controls: whole }] };
}

/** The embedded model that explains, as jobs name it. */
export function firstModel(): Model {
  const [model] = embeddedModels('http://localhost/models/');
  if (!model) throw new Error('expected an embedded model');
  return model;
}

/** A model whose files the page has itself. */
export function heldModel(held: NonNullable<Model['held']>): Model & Required<Pick<Model, 'files'>> {
  return {
    name: 'm',
    version: 'm',
    description: '',
    folder: 'held:',
    dtype: 'fp32',
    contextTokens: 64,
    capabilities: ['explain'],
    held,
    files: Object.fromEntries(Object.entries(held).map(([path, { size }]) => [path, { bytes: size }])),
  };
}

/** The last layer's mean of a text. */
export function embedJob(text: string): Jobs['embed']['input'] {
  return {
    model: firstModel(),
    prompt: textPrompt(text),
    layers: [-1],
    pooling: ['mean'],
    control_log_additive: true,
    normalize: false,
  };
}

/** An explanation by factor 0.1 with nothing special about it. */
export function explainJob(job: Pick<ExplainJob, 'prompt' | 'target'> & Partial<ExplainJob>): ExplainJob {
  return {
    model: firstModel(),
    budget: 1,
    method: 'attention',
    max_requests: null,
    explained_items: null,
    control_factor: 0.1,
    control_log_additive: true,
    control_token_overlap: 'partial',
    normalize: false,
    postprocessing: 'none',
    target_granularity: 'token',
    prompt_granularity: { type: 'token' },
    ...job,
  };
}
