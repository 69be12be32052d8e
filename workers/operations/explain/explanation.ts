import { codePointMap, type CodePointMap } from '../../../src/contract/code-points.ts';
import type { Explanation, ExplanationItem, ImageScore, TextScore } from '../../../src/contract/explain.ts';
import type { ExplainJob } from '../../../src/protocol/jobs.ts';
import { postprocessed, scaledToUnit } from '../../kernels/influence.ts';
import type { Section } from './sections.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';

/** Influence of a section on each target token, `[target tokens]`; null while it is not known. */
export type SectionInfluence = Float64Array | null;

/** See `assemble`. */
export interface Assembly {
  readonly sequence: TargetSequence;
  readonly sections: readonly Section[];
  readonly influences: readonly SectionInfluence[];
  readonly job: Pick<ExplainJob, 'target' | 'targetGranularity' | 'postprocessing' | 'normalize'>;
  readonly show: (id: number) => string;
}

/**
 * Explanations as they stand on the wire. `complete` sums over the target's tokens, after postprocessing. Sections that
 * are not known yet are left out, token ids among them count as 0, and nothing is normalised before all are known.
 *
 * @source contract facts §1.5
 */
export function assemble({ sequence, sections, influences, job, show }: Assembly): Explanation[] {
  const maps = textMaps(sequence);
  const complete = influences.every((influence) => influence !== null);
  const whole = job.targetGranularity === 'complete';
  const columns = whole ? [sequence.target.ids.map((_, t) => t)] : sequence.target.ids.map((_, t) => [t]);
  return columns.map((columnTokens, column) => {
    const scoreOf = (influence: Float64Array) =>
      columnTokens.reduce((sum, t) => sum + postprocessed(influence[t] ?? 0, job.postprocessing), 0);
    const scored = sections.map((section, i) => {
      const influence = influences[i] ?? null;
      return { section, score: influence && scoreOf(influence) };
    });
    const visible = scored.filter(({ section }) => !hidden(section, sequence, whole ? 0 : column));
    const scaled = job.normalize && complete ? normalizedScores(visible) : visible;
    const target = whole ? job.target : show(sequence.target.ids[column] ?? 0);
    return { target, items: itemsOf(sequence, scaled, maps) };
  });
}

interface Scored {
  readonly section: Section;
  readonly score: number | null;
}

/** Target sections at or behind the explained token say nothing about it. */
function hidden(section: Section, { items, ids }: TargetSequence, column: number): boolean {
  if (section.item < items.length) return false;
  const [position = 0] = section.factors.keys();
  return position - ids.length >= column;
}

function normalizedScores(scored: readonly Scored[]): Scored[] {
  const scaled = scaledToUnit(scored.map(({ score }) => score ?? 0));
  return scored.map(({ section }, i) => ({ section, score: scaled[i] ?? 0 }));
}

function textMaps({ items, target }: TargetSequence): readonly (CodePointMap | null)[] {
  const ofItems = items.map((item) => (item.type === 'text' ? codePointMap(item.tokenized.text) : null));
  return [...ofItems, codePointMap(target.text)];
}

function itemsOf({ items }: TargetSequence, scored: readonly Scored[], maps: readonly (CodePointMap | null)[]) {
  const of = (index: number) => scored.filter(({ section }) => section.item === index);
  const texts = (index: number): TextScore[] =>
    of(index).flatMap(({ section: { span }, score }) =>
      span && score !== null ? [{ ...(maps[index]?.toCodePoints(span) ?? span), score }] : [],
    );
  const pictures = (index: number): ImageScore[] =>
    of(index).flatMap(({ section: { rect }, score }) => (rect && score !== null ? [{ rect, score }] : []));
  const prompt = items.map(({ type }, index): ExplanationItem => {
    if (type === 'text') return { type, scores: texts(index) };
    if (type === 'image') return { type, scores: pictures(index) };
    return { type, scores: of(index).map(({ score }) => score ?? 0) };
  });
  return [...prompt, { type: 'target' as const, scores: texts(items.length) }];
}
