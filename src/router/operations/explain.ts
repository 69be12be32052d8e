import { DESCRIBED } from '../../contract/description/operations.ts';
import type { BudgetUse as BudgetUseOnWire, PromptGranularity } from '../../contract/explain.ts';
import type { BudgetUse, Estimated, Granularity } from '../../protocol/target-jobs.ts';
import { operation } from '../operation.ts';
import { budgetOf } from '../request/budget.ts';
import { controlOptions } from '../request/model-choice.ts';
import { jobPrompt } from '../request/prompt.ts';
import { invalid, nonEmptyText, wellFormed } from '../request/text.ts';
import { contrastOf } from './contrast.ts';
import { explanationsOf, partialExplanationsOf } from './explanations.ts';

/** `POST /explain`. */
export const explain = operation({
  ...DESCRIBED.explain,
  kind: 'explain',
  use: 'explain',
  input: async (body, tools) => ({
    budget: budgetOf(tools.query, body),
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    target: nonEmptyText(body.target, 'target'),
    foil: typeof body.foil === 'string' ? nonEmptyText(body.foil, 'foil') : null,
    factor: body.control_factor,
    overlap: body.control_token_overlap,
    controls: controlOptions(body),
    granularity: granularityOf(body.prompt_granularity ?? null),
    explainsTarget: body.target_granularity === 'token',
  }),
  output: async (explained, { body, version, pause }) => ({
    model_version: version,
    explanations: await explanationsOf(explained, body, pause),
    ...(typeof body.foil === 'string' && { contrast: contrastOf(explained, body, body.foil) }),
    ...(explained.estimated && { margins_from: marginsFrom(explained.estimated) }),
    ...(explained.budget && { budget: budgetUseOf(explained.budget) }),
  }),
  progress: ({ phase, done, total, explained }, body) => ({
    ...{ phase, done, total },
    ...(explained && { partial: partialExplanationsOf(explained, body) }),
  }),
});

function marginsFrom({ margins }: Estimated): 'model' | 'prompt' {
  return margins.isCalibrated ? 'model' : 'prompt';
}

function budgetUseOf({ spent, exactBecause }: BudgetUse): BudgetUseOnWire {
  return { spent, exact_because: exactBecause };
}

function granularityOf(wanted: PromptGranularity | null): Granularity | null {
  if (wanted?.type !== 'custom') return wanted && { type: wanted.type };
  if (wanted.delimiter)
    return { type: 'custom', delimiter: wellFormed(wanted.delimiter, 'prompt_granularity.delimiter') };
  const got = JSON.stringify(wanted.delimiter ?? null);
  throw invalid('prompt_granularity.delimiter', 'a non-empty string with type "custom"', got);
}
