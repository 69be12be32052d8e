import type { ExplainedSection, ExplainJob, Granularity } from '../../../src/protocol/target-jobs.ts';
import { combined, factorsOnText } from '../../kernels/attention-control.ts';
import { factorsOnPicture, pictureSections } from '../../kernels/images/image-tiles.ts';
import { autoGranularity, textSections } from '../../kernels/text/granularity.ts';
import type { SequenceItem } from '../prompt/sequence.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';

/** A section with the factor that the explanation puts on each of its positions. */
export interface Section extends ExplainedSection {
  readonly factors: ReadonlyMap<number, number>;
}

/** All sections of a job, prompt items first, in order; the target's last where it is explained too. */
export function sectionsOf(sequence: TargetSequence, job: ExplainJob): Section[] {
  const granularity = job.granularity ?? nearestGranularity(sequence.items);
  const prompt = sequence.items.flatMap((item, index) => {
    if (item.type === 'text') return partsOfText(item, index, granularity, job);
    if (item.type === 'image') return partsOfPicture(item, index, granularity, job);
    return idSections(item, index, job.factor);
  });
  return job.explainsTarget ? [...prompt, ...targetSections(sequence, job.factor)] : prompt;
}

function nearestGranularity(items: readonly SequenceItem[]): Granularity {
  const texts = items.flatMap((item) => (item.type === 'text' ? [item.tokenized] : []));
  const grids = items.flatMap((item) => (item.type === 'image' ? [item.seen.grid] : []));
  const ids = items.reduce((sum, item) => sum + (item.type === 'token_ids' ? item.count : 0), 0);
  return autoGranularity(texts, ids, grids);
}

type TextItem = Extract<SequenceItem, { type: 'text' }>;

function partsOfText({ tokenized, first }: TextItem, item: number, granularity: Granularity, job: ExplainJob) {
  return textSections(tokenized, granularity).map((span): Section => {
    const control = { ...span, factor: job.factor, overlap: job.overlap };
    return { item, span, factors: combined(factorsOnText(control, tokenized.spans, first)) };
  });
}

type PictureItem = Extract<SequenceItem, { type: 'image' }>;

/** A section acts as a control on its rectangle does, so that what it says of a part of the picture can be tried out. */
function partsOfPicture({ seen, first }: PictureItem, item: number, granularity: Granularity, job: ExplainJob) {
  return pictureSections(granularity.type, seen.grid).map((rect): Section => {
    const control = { ...rect, factor: job.factor, overlap: job.overlap };
    return { item, rect, factors: combined(factorsOnPicture(control, seen, first)) };
  });
}

/** Token ids are explained one by one, whatever the granularity. @source contract facts §1.5 */
function idSections({ first, count }: SequenceItem, item: number, factor: number): Section[] {
  return Array.from({ length: count }, (_, index) => ({ item, index, factors: new Map([[first + index, factor]]) }));
}

/** Every target token but the last bears on those after it. @source contract facts §2.3 */
function targetSections({ ids, items, target }: TargetSequence, factor: number): Section[] {
  return target.spans.slice(0, -1).map((span, index) => ({
    ...{ item: items.length, index, span },
    factors: new Map([[ids.length + index, factor]]),
  }));
}
