import type { CompletedToken, CompleteJob, Completion } from '../../../src/protocol/likelihood/complete-job.ts';
import type { JobContext } from '../context.ts';
import type { Echo } from './echo.ts';

/** Tells how far the completions of a job are. */
export interface Telling {
  /** @param tokens  of the completion so far */
  step(index: number, fresh: string, tokens: readonly CompletedToken[]): void;
  finish(index: number, fresh: string, tokens: readonly CompletedToken[]): void;
  /** Another completion with the same text. */
  repeat(index: number, completion: Completion): void;
}

/**
 * Parts of the text are told only where every candidate is returned: of others nobody knows yet which will be.
 *
 * @param most  tokens of a completion at most
 */
export function createTelling(
  { candidates, returned }: Pick<CompleteJob, 'candidates' | 'returned'>,
  most: number,
  echo: Echo | null,
  { listens, progress }: JobContext,
): Telling {
  const total = candidates * (most + 1);
  const isTold = candidates === returned;
  let told = 0;
  let begun = -1;
  const say = (index: number, text: string, tokens: readonly CompletedToken[], done: number) => {
    if (!listens) return;
    const isFirst = begun < index;
    if (isFirst) [begun, told] = [index, 0];
    const before = isFirst && echo ? echo : { text: '', tokens: [] };
    const part = { index, text: before.text + text, tokens: [...before.tokens, ...tokens.slice(told)] };
    const isEmpty = part.text === '' && part.tokens.length === 0;
    told = tokens.length;
    progress({ phase: 'run', done, total, ...(isTold && !isEmpty && { completed: [part] }) });
  };
  const end = (index: number) => (index + 1) * (most + 1);
  return {
    step: (index, fresh, tokens) => say(index, fresh, tokens, index * (most + 1) + tokens.length),
    finish: (index, fresh, tokens) => say(index, fresh, tokens, end(index)),
    repeat: (index, { text, tokens }) => say(index, text, tokens, end(index)),
  };
}
