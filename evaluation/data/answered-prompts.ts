import everyday from './everyday-prompts.json' with { type: 'json' };
import type { Span } from '../../src/contract/code-points.ts';
import type { PassageItem } from './squad.ts';

/** A prompt as a visitor types it, in one text, with the answer that a reader would give. */
export interface AnsweredPrompt {
  readonly prompt: string;
  /** As it stands behind the prompt, with its leading space. */
  readonly target: string;
  /** Where the prompt first says it, code points of the prompt; null where it follows from more than one place. */
  readonly answer: Span | null;
}

/** Passage and question as one text. */
export function promptOfPassage({ passage, asked, target, answer }: PassageItem): AnsweredPrompt {
  return { prompt: passage + asked, target, answer };
}

/** In these the answer stands only among the choices of the question. */
const CHOSEN_FROM_A_LIST = 'sentiment';

/** The 60 everyday prompts. */
export function everydayPrompts(): AnsweredPrompt[] {
  return everyday.map(({ kind, prompt, answer: target }) => {
    const at = kind === CHOSEN_FROM_A_LIST ? -1 : prompt.indexOf(target.trim());
    const before = prompt.slice(0, at);
    const answer = at < 0 ? null : { start: [...before].length, length: [...target.trim()].length };
    return { prompt, target, answer };
  });
}
