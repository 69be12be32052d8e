import type { ExplainedPlan, ExplainedSection, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { Tokenizer } from '../../engine/loading/tokenizer.ts';
import { autoGranularity, partsOfItem } from '../../kernels/text/granularity.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';

/**
 * What an explanation is about: sections of all prompt items, in order; behind them the target's tokens but the last,
 * where they are explained too, since each bears on those behind it.
 *
 * @source contract facts §1.5, §2.3
 */
export function planOf(
  { items, target }: TargetSequence,
  foil: TargetSequence | null,
  job: ExplainJob,
  { show }: Tokenizer,
): ExplainedPlan {
  const granularity = job.granularity ?? autoGranularity(items);
  const ofPrompt = items.flatMap((each, item): ExplainedSection[] =>
    partsOfItem(each, granularity).map((part) => ({ item, ...part })),
  );
  const earlier = target.spans
    .slice(0, -1)
    .map((span, index): ExplainedSection => ({ item: items.length, index, span }));
  return {
    sections: job.explainsTarget ? [...ofPrompt, ...earlier] : ofPrompt,
    targetTokens: target.ids.map((id) => show(id)),
    foilTokens: foil?.target.ids.map((id) => show(id)) ?? [],
  };
}
