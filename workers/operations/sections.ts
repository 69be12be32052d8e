import type { Span } from '../../src/contract/code-points.ts';
import { FailureError } from '../../src/contract/failure.ts';
import type { PromptGranularity } from '../../src/contract/explain.ts';
import type { ExplainJob } from '../../src/protocol/jobs.ts';
import type { TokenizedText } from '../engine/tokenizer.ts';
import { combined, factorsOnText } from '../kernels/attention-control.ts';
import { autoGranularity, sectionsOf, type Granularity } from '../kernels/granularity.ts';
import type { Sequence, SequenceItem } from './sequence.ts';

/** A part of the prompt or target whose influence is measured. */
export interface Section {
  /** Index of the prompt item; the target counts as the item behind the last. */
  readonly item: number;
  /** UTF-16 span in its item; absent for a token id. */
  readonly span?: Span;
  /** Factor that the explanation puts on each of its positions. */
  readonly factors: ReadonlyMap<number, number>;
}

/** The sequence that is explained: the prompt's and, behind it, the target's tokens. */
export interface ExplainedSequence extends Sequence {
  readonly target: TokenizedText;
}

/** All sections of a request, prompt items first, in order; the target's last when each target token is explained. */
export function sectionsOfRequest(sequence: ExplainedSequence, job: ExplainJob): Section[] {
  const granularity = granularityOf(job.promptGranularity, sequence.items);
  const prompt = sequence.items.flatMap((item, index) =>
    item.type === 'text' ? textSections(item, index, granularity, job) : idSections(item, index, job.controlFactor),
  );
  return job.targetGranularity === 'token' ? [...prompt, ...targetSections(sequence, job.controlFactor)] : prompt;
}

/** @throws {FailureError} INVALID_REQUEST for `custom` without a delimiter */
export function granularityOf(wanted: PromptGranularity | null, items: readonly SequenceItem[]): Granularity {
  if (wanted === null) {
    const texts = items.flatMap((item) => (item.type === 'text' ? [item.tokenized] : []));
    return autoGranularity(
      texts,
      items.reduce((sum, item) => sum + (item.type === 'token_ids' ? item.count : 0), 0),
    );
  }
  if (wanted.type !== 'custom') return { type: wanted.type };
  if (wanted.delimiter) return { type: 'custom', delimiter: wanted.delimiter };
  throw new FailureError(
    'INVALID_REQUEST',
    `prompt_granularity.delimiter: expected a non-empty string with type "custom", got ${JSON.stringify(wanted.delimiter ?? null)}`,
  );
}

type TextItem = Extract<SequenceItem, { type: 'text' }>;

function textSections({ tokenized, first }: TextItem, item: number, granularity: Granularity, job: ExplainJob) {
  return sectionsOf(tokenized, granularity).map((span): Section => {
    const control = { ...span, factor: job.controlFactor, overlap: job.overlap };
    return { item, span, factors: combined(factorsOnText(control, tokenized.spans, first)) };
  });
}

/** Token ids are explained one by one, whatever the granularity. @source contract facts §1.5 */
function idSections({ first, count }: SequenceItem, item: number, factor: number): Section[] {
  return Array.from({ length: count }, (_, i) => ({ item, factors: new Map([[first + i, factor]]) }));
}

/** Every target token but the last bears on those after it. @source contract facts §2.3 */
function targetSections({ ids, items, target }: ExplainedSequence, factor: number): Section[] {
  return target.spans
    .slice(0, -1)
    .map((span, i) => ({ item: items.length, span, factors: new Map([[ids.length + i, factor]]) }));
}
