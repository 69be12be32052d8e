import { budgetPrompts } from '../../data/budget-prompts.ts';
import { SQUAD_1, type SquadRow } from '../../data/squad.ts';
import type { Evaluation } from '../../evaluation.ts';
import { DECODER, embeddedModel, loadTokenizer } from '../../models/embedded-model.ts';
import { measureTexts } from './texts.ts';

/** How much of an explanation is known, how soon, and whether its margins hold: SQuAD passages with questions, by word. */
export const budgetEvaluation: Evaluation = {
  name: 'budget',
  title: 'Explanations within a budget, by word',
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  recorded: true,
  async run(context) {
    const tokenizer = await loadTokenizer(DECODER);
    const rows = await context.lines<SquadRow>(SQUAD_1);
    const prompts = budgetPrompts(rows, tokenizer).slice(0, context.sample);
    await measureTexts(context, prompts, { client: context.client, model: embeddedModel(DECODER), tokenizer });
    return [];
  },
};
