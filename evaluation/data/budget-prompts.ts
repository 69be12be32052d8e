import type { Tokenizer } from '../../workers/engine/loading/tokenizer.ts';
import { type AnsweredPrompt, promptOfPassage } from './answered-prompts.ts';
import { inTurn, type Lengthy } from './lengths.ts';
import { type PassageItem, shortPassages, type SquadRow } from './squad.ts';

/** Of passage, question and answer. */
const MAX_TOKENS = 1000;
/** Passages before these are measured for the model card, or for the choice of settings. */
const FIRST = 460;
/** The margins in `src/models/margins.json` were made on these. */
const MADE_ON = { from: 900, behind: 936 };
/** So far that there are as many long passages as are measured; margins are made on passages behind. */
const BEHIND = 1100;

/** Prompts that are measured. */
export const BUDGET_PROMPTS = 200;

/** A prompt with its length. */
export type BudgetPrompt = AnsweredPrompt & Lengthy;

/** Prompts that explanations within a budget are measured on: of the first ones as many of each length, whatever their number. */
export function budgetPrompts(rows: readonly SquadRow[], tokenizer: Pick<Tokenizer, 'tokenize'>): BudgetPrompt[] {
  const items = shortPassages(rows, tokenizer, BEHIND, MAX_TOKENS);
  const others = [...items.slice(FIRST, MADE_ON.from), ...items.slice(MADE_ON.behind)];
  return promptsOf(others, tokenizer).slice(0, BUDGET_PROMPTS);
}

/**
 * Prompts that margins are made on, of all lengths in turn too: a question on each passage, as errors on one passage are alike.
 * None of the passages is measured, with any question.
 */
export function calibrationPrompts(rows: readonly SquadRow[], tokenizer: Pick<Tokenizer, 'tokenize'>): BudgetPrompt[] {
  const items = shortPassages(rows, tokenizer, rows.length, MAX_TOKENS);
  const measured = new Set(items.slice(FIRST, BEHIND).map(({ passage }) => passage));
  const others = items.slice(BEHIND).filter(({ passage }) => !measured.has(passage));
  const own = others.filter(({ passage }, at) => others.findIndex((other) => other.passage === passage) === at);
  return promptsOf(own, tokenizer);
}

function promptsOf(items: readonly PassageItem[], { tokenize }: Pick<Tokenizer, 'tokenize'>): BudgetPrompt[] {
  const prompts = items.map(promptOfPassage);
  return inTurn(prompts.map((each) => ({ ...each, tokens: tokenize(each.prompt + each.target).ids.length })));
}
