import type { Tokenizer } from '../../workers/engine/loading/tokenizer.ts';
import type { DataFile } from '../evaluation.ts';
import type { Lengthy } from './lengths.ts';

/** Stories for children in plain English, a line between them. @source the data folder's README */
export const STORIES: DataFile = { from: 'data', path: 'lm/stories.txt.xz' };

/** Tokens that prompts are cut to, in turn: one for each measured range of lengths. */
const LENGTHS = [200, 310, 440] as const;
const TARGET_WORDS = 2;

/** The beginning of a story, and how it goes on. */
export interface StoryPrompt extends Lengthy {
  readonly prompt: string;
  readonly target: string;
}

/** Prompts of each length in turn, each from a story of its own; stories that are too short are left out. */
export function storyPrompts(text: string, { tokenize }: Pick<Tokenizer, 'tokenize'>, count: number): StoryPrompt[] {
  const prompts: StoryPrompt[] = [];
  for (const story of text.split('<|doc|>')) {
    if (prompts.length === count) break;
    const most = LENGTHS[prompts.length % LENGTHS.length] ?? 0;
    const words = story.replaceAll('#', '').trim().split(/\s+/);
    const { spans } = tokenize(words.join(' '));
    const end = spans[most]?.start;
    if (end === undefined) continue;
    const told = words.join(' ').slice(0, end).split(' ').slice(0, -1);
    const [prompt, target] = [told.join(' '), ` ${words.slice(told.length, told.length + TARGET_WORDS).join(' ')}`];
    prompts.push({ prompt, target, tokens: tokenize(prompt + target).ids.length });
  }
  return prompts;
}
