import type { Span } from '../../../src/contract/code-points.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { PromptGranularity } from '../../../src/contract/explain.ts';
import type { ExplainJob } from '../../../src/protocol/jobs.ts';
import { combined, factorsOnText } from '../../kernels/attention-control.ts';
import { autoGranularity, sectionsOf, type Granularity } from '../../kernels/text/granularity.ts';
import { factorsOnPicture, pictureSections, type Rectangle } from '../../kernels/images/image-tiles.ts';
import type { SequenceItem } from '../prompt/sequence.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';

/** A part of the prompt or target whose influence is measured. */
export interface Section {
  /** Index of the prompt item; the target counts as the item behind the last. */
  readonly item: number;
  /** UTF-16 span in its item; of a text and of the target. */
  readonly span?: Span;
  /** Of a picture. */
  readonly rect?: Rectangle;
  /** Factor that the explanation puts on each of its positions. */
  readonly factors: ReadonlyMap<number, number>;
}

/** All sections of a request, prompt items first, in order; the target's last when each target token is explained. */
export function sectionsOfRequest(sequence: TargetSequence, job: ExplainJob): Section[] {
  const granularity = granularityOf(job.promptGranularity, sequence.items);
  const prompt = sequence.items.flatMap((item, index) => {
    if (item.type === 'text') return textSections(item, index, granularity, job);
    if (item.type === 'image') return pictureParts(item, index, granularity, job);
    return idSections(item, index, job.controlFactor);
  });
  return job.targetGranularity === 'token' ? [...prompt, ...targetSections(sequence, job.controlFactor)] : prompt;
}

/** @throws {FailureError} INVALID_REQUEST for `custom` without a delimiter */
export function granularityOf(wanted: PromptGranularity | null, items: readonly SequenceItem[]): Granularity {
  if (wanted === null) {
    const texts = items.flatMap((item) => (item.type === 'text' ? [item.tokenized] : []));
    const grids = items.flatMap((item) => (item.type === 'image' ? [item.seen.grid] : []));
    const ids = items.reduce((sum, item) => sum + (item.type === 'token_ids' ? item.count : 0), 0);
    return autoGranularity(texts, ids, grids);
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

type PictureItem = Extract<SequenceItem, { type: 'image' }>;

/** A section acts as a control on its rectangle does, so that what it says of a part of the picture can be tried out. */
function pictureParts({ seen, first }: PictureItem, item: number, granularity: Granularity, job: ExplainJob) {
  return pictureSections(granularity.type, seen.grid).map((rect): Section => {
    const control = { ...rect, factor: job.controlFactor, overlap: job.overlap };
    return { item, rect, factors: combined(factorsOnPicture(control, seen, first)) };
  });
}

/** Token ids are explained one by one, whatever the granularity. @source contract facts §1.5 */
function idSections({ first, count }: SequenceItem, item: number, factor: number): Section[] {
  return Array.from({ length: count }, (_, i) => ({ item, factors: new Map([[first + i, factor]]) }));
}

/** Every target token but the last bears on those after it. @source contract facts §2.3 */
function targetSections({ ids, items, target }: TargetSequence, factor: number): Section[] {
  return target.spans
    .slice(0, -1)
    .map((span, i) => ({ item: items.length, span, factors: new Map([[ids.length + i, factor]]) }));
}
