import type { Context, Evaluation, Row } from '../evaluation.ts';
import { type AnsweredPrompt, everydayPrompts, promptOfPassage } from '../data/answered-prompts.ts';
import { furtherPassages, SQUAD_1, type SquadRow } from '../data/squad.ts';
import { createDeletions, type Deletions } from '../measures/deletions.ts';
import { sampleOf } from '../measures/sample.ts';

import { touching } from '../measures/ranking/relevance.ts';
import { withoutSpans } from '../../src/contract/code-points.ts';
import { DECODER, loadTokenizer } from '../models/embedded-model.ts';
import { valueOf } from '../value-of.ts';

/** With the 60 everyday prompts 200. */
const PASSAGES = 140;

/** How a section is suppressed, or strengthened, by name. */
const SETTINGS = {
  'additive 0.1': { control_log_additive: true, control_factor: 0.1 },
  'multiplicative 0.1': { control_log_additive: false, control_factor: 0.1 },
  'additive 0': { control_log_additive: true, control_factor: 0 },
  'multiplicative 0': { control_log_additive: false, control_factor: 0 },
  'additive 2': { control_log_additive: true, control_factor: 2 },
  'multiplicative 2': { control_log_additive: false, control_factor: 2 },
} as const;

type Granularity = 'sentence' | 'word';

/**
 * Which change of the attention to a section says the same as deleting it? To choose the page's settings: the log-likelihood that
 * the target loses when a section is taken out of the text, beside the section's score.
 */
export const deletionEvaluation: Evaluation = {
  name: 'deletion',
  title: 'Scores of sections beside the log-likelihood that the target loses when they are deleted',
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const passages = furtherPassages(rows, await loadTokenizer(DECODER), PASSAGES);
  const everyday = everydayPrompts();
  const parts: readonly [name: string, prompts: readonly AnsweredPrompt[], Granularity][] = [
    ['sentences of passages', passages.map(promptOfPassage), 'sentence'],
    ['sentences of everyday prompts', everyday, 'sentence'],
    ['words of everyday prompts', everyday, 'word'],
  ];
  const found: Row[] = [];
  for (const [name, prompts, granularity] of parts) {
    const deletions = createDeletions(Object.keys(SETTINGS));
    const drawn = sampleOf(prompts, context.sample);
    for (const [index, prompt] of drawn.entries()) {
      await explainAndDelete(context, prompt, granularity, deletions);
      context.progress(name, index + 1, drawn.length);
    }
    found.push(...deletions.rows(name));
  }
  return found;
}

/** Notes scores and losses of a prompt; one that is a single section has nothing left without it. */
async function explainAndDelete(
  { client }: Context,
  { prompt, target, answer }: AnsweredPrompt,
  type: Granularity,
  deletions: Deletions,
): Promise<void> {
  const likelihood = async (text: string) => {
    const asked = { model: DECODER, prompt: text, completion_expected: target };
    return (await valueOf(client.evaluate(asked))).result.log_probability;
  };
  const whole = await likelihood(prompt);
  let losses: number[] | null = null;
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const asked = { model: DECODER, prompt, target, prompt_granularity: { type }, ...setting };
    const { explanations } = await valueOf(client.explain(asked));
    const item = explanations[0]?.items[0];
    if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
    const { scores } = item;
    if (scores.length < 2) return;
    if (!losses) {
      losses = [];
      for (const section of scores) losses.push(whole - (await likelihood(withoutSpans([...prompt], [section]))));
    }
    const labels = answer && touching(scores, answer);
    // Strengthening what supports the target lowers its cross entropy.
    const turn = setting.control_factor > 1 ? -1 : 1;
    deletions.add(name, { scores: scores.map(({ score }) => turn * score), losses, labels });
  }
}
