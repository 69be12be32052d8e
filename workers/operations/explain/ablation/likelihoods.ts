import { replacedSpans, withoutSpans } from '../../../../src/contract/code-points.ts';
import type { ExplainedPlan, ExplainJob } from '../../../../src/protocol/jobs.ts';
import type { JobPrompt, JobPromptItem } from '../../../../src/protocol/model-job.ts';
import type { JobProgress } from '../../../../src/protocol/messages.ts';
import type { SectionSubset } from '../../../kernels/sparse-linear.ts';
import { mapConcurrent, type TaskContext } from '../../../serving/serve.ts';

/** Tells how likely the target of an explanation is after other prompts: an engine here, or a server. */
export interface LikelihoodSource {
  /**
   * Natural-log probability of each token of the target after a prompt, `[target tokens]`.
   *
   * @throws {FailureError} and the signal's reason
   */
  logProbabilities(prompt: JobPrompt, signal: AbortSignal): Promise<ArrayLike<number>>;
  /** How many may be computed at once now; left out: one. */
  readonly inFlight?: (() => number) | undefined;
  /**
   * Checks how many requests are planned, the one for the whole prompt included.
   *
   * @throws {FailureError} where that many requests would cost too much
   */
  checkPlan?(requests: number): void;
}

/** An explanation by ablation before its first request. */
export interface AblationInput {
  readonly job: ExplainJob;
  readonly plan: ExplainedPlan;
  readonly source: LikelihoodSource;
  /** Log-probabilities of the target's tokens after the whole prompt, which count as a request. */
  readonly whole: ArrayLike<number>;
  readonly context: TaskContext;
}

/** Likelihoods of the target with only some sections kept. */
export interface Requests {
  /** Requests so far, and those that were planned. */
  counts(): Pick<JobProgress, 'done' | 'total'>;
  /**
   * Log-probabilities for each subset, float64 `[columns of the plan]`; the same subset is requested once.
   *
   * @param onRow  takes each as soon as it is known
   */
  rows(subsets: readonly SectionSubset[], onRow?: (row: Float64Array, at: number) => void): Promise<Float64Array[]>;
}

/** @param total  planned requests */
export function createRequests({ job, plan, source, whole, context }: AblationInput, total: number): Requests {
  const all = new Uint8Array(plan.sections.length).fill(1).join('');
  const known = new Map([[all, columnsOf(whole, plan)]]);
  const rowAt = (key: string) => {
    const row = known.get(key);
    if (!row) throw new RangeError('expected a subset that was requested');
    return row;
  };
  return {
    counts: () => ({ done: known.size, total: Math.max(total, known.size) }),
    async rows(subsets, onRow) {
      const keys = subsets.map((kept) => kept.join(''));
      const missing = subsets.flatMap((kept, at) => {
        const key = keys[at] ?? '';
        return known.has(key) || keys.indexOf(key) < at ? [] : [{ kept, key, at }];
      });
      let left = missing.length;
      await mapConcurrent(missing, { context, width: source.inFlight }, async ({ kept, key, at }, signal) => {
        const found = await source.logProbabilities(subsetPrompt(job, plan, kept), signal);
        const row = columnsOf(found, plan);
        known.set(key, row);
        left--;
        if (onRow) onRow(row, at);
        // The last one is reported with what follows from it.
        else if (left > 0) context.progress({ phase: 'run', done: known.size, total });
      });
      return keys.map(rowAt);
    },
  };
}

/** @throws {RangeError} where the target has other tokens than before */
function columnsOf(logProbabilities: ArrayLike<number>, { targetTokens: { length } }: ExplainedPlan): Float64Array {
  const each = Float64Array.from(logProbabilities);
  if (length === 1) return Float64Array.of(each.reduce((sum, one) => sum + one, 0));
  if (each.length !== length) throw new RangeError(`expected ${length} target tokens, got ${each.length}`);
  return each;
}

/** What the model reads where every section is deleted: not all models can begin with nothing. */
const NOTHING = '\n';

/** The prompt without the sections that are not kept and the white space after each, or with the replacement in their place. */
function subsetPrompt(
  { prompt: { path, items }, replacement }: ExplainJob,
  { sections }: ExplainedPlan,
  kept: SectionSubset,
): JobPrompt {
  const left = items.flatMap((each, item): JobPromptItem[] => {
    const gone = sections.filter((section, at) => section.item === item && !kept[at]);
    if (gone.length === 0) return [each];
    if (each.type === 'text') {
      const spans = gone.flatMap(({ span }) => span ?? []);
      const isReplaced = typeof replacement === 'string';
      const text = isReplaced ? replacedSpans(each.text, spans, replacement) : withoutSpans(each.text.split(''), spans);
      return text === '' ? [] : [{ ...each, text }];
    }
    if (each.type === 'image') throw new RangeError('expected a prompt without pictures');
    const removed = new Set(gone.map(({ index }) => index));
    const ids = each.ids.filter((_, index) => !removed.has(index));
    return ids.length === 0 ? [] : [{ ...each, ids }];
  });
  return { path, items: left.length > 0 ? left : [{ type: 'text', text: NOTHING, controls: [] }] };
}
