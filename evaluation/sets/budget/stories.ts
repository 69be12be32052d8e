import { STORIES, storyPrompts } from '../../data/stories.ts';
import type { Evaluation } from '../../evaluation.ts';
import { openStoryTeller, STORY_TELLER, STORY_TELLER_FILES, STORY_WEIGHTS } from '../../models/story-teller.ts';
import { measureTexts } from './texts.ts';

const PROMPTS = 60;

/** The same on a network that others trained, of which no margins are known: the beginnings of stories, by word. */
export const storyBudgetEvaluation: Evaluation = {
  name: 'story-budget',
  title: 'Explanations within a budget on a network that others trained, by word',
  model: STORY_TELLER,
  network: STORY_WEIGHTS,
  needs: [...STORY_TELLER_FILES, STORIES],
  onlyWhenNamed: true,
  recorded: true,
  async run(context) {
    const on = await openStoryTeller(context);
    const text = new TextDecoder().decode(await context.bytes(STORIES));
    await measureTexts(context, storyPrompts(text, on.tokenizer, context.sample ?? PROMPTS), on);
    return [];
  },
};
