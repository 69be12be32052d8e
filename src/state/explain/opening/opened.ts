import type { Problem } from '../../../client/client.ts';
import type { Progress } from '../../../contract/progress.ts';
import { EXAMPLES } from '../examples.ts';
import type { Asked } from '../kept.ts';
import type { Outcome } from '../outcome.ts';
import { DEFAULT_SETTINGS, isSameQuestion, type Question } from '../question.ts';
import type { Shared, SharedLink } from './share-link.ts';

/** A running request; `partial` holds the sections explained so far. */
export interface Running {
  readonly kind: 'running';
  readonly asked: Question;
  readonly progress: Progress | null;
  readonly partial: Outcome | null;
}

/** The one request of the page. */
export type Phase =
  | { readonly kind: 'idle' }
  /** Cancelled before it was done; what was explained by then is the newest outcome. */
  | { readonly kind: 'stopped' }
  | Running
  | { readonly kind: 'done'; readonly value: Outcome }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** That of a first visit. */
export const FIRST_QUESTION: Question = {
  picture: null,
  prompt: EXAMPLES[0].prompt,
  target: EXAMPLES[0].target,
  settings: DEFAULT_SETTINGS,
};

/** The part of the page's state that a visit or a link brings. */
export interface Opened {
  readonly question: Question;
  readonly phase: Phase;
  /** The newest outcome, kept while another one is made or has failed; incomplete after a cancel. */
  readonly last: Outcome | null;
  /** What an example or a link has replaced, until that is edited. */
  readonly replaced: Asked | null;
  /** Nobody has asked the question yet, and the visitor came for it: it is that of a link, or the first of a first visit. */
  readonly isUnasked: boolean;
  /** The link that was followed last holds no question; until the question changes. */
  readonly isLinkUnreadable: boolean;
}

/** Nothing has been opened that would ask for something. */
export const NOT_OPENED = { isUnasked: false, isLinkUnreadable: false };

/** The phase of a page on which nothing runs. */
export function restingOn(last: Outcome | null): Phase {
  return isComplete(last) ? { kind: 'done', value: last } : { kind: 'idle' };
}

function isComplete(outcome: Outcome | null): outcome is Outcome {
  return outcome !== null && outcome.modelVersion !== null;
}

/** A visit: the page as it was left, with what a link brings. */
export function visited(kept: Partial<Asked>, link: SharedLink | null): Opened {
  if (link !== null && link !== 'unreadable') return followed(kept, link);
  const isLinkUnreadable = link === 'unreadable';
  const { question, last = null } = kept;
  return {
    ...{ question: question ?? FIRST_QUESTION, phase: restingOn(last), last, replaced: null },
    ...{ isUnasked: !question && !isLinkUnreadable, isLinkUnreadable },
  };
}

/** A link's question in place of the page's own, with the last outcome only where it answers that question. */
export function followed({ question, last = null }: Partial<Asked>, shared: Shared): Opened {
  const asked = { ...(question ?? FIRST_QUESTION), ...shared };
  const answer = isComplete(last) && isSameQuestion(asked, last.question) ? last : null;
  const replaced = question && !isSameQuestion(asked, question) ? { question, last } : null;
  return {
    ...{ question: asked, phase: restingOn(answer), last: answer, replaced },
    ...{ isUnasked: answer === null, isLinkUnreadable: false },
  };
}
