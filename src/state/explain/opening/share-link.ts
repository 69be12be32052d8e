import { hashOfValue, valueInHash } from './hash-value.ts';
import { isRecord, type Question, readQuestion, readSettings } from '../question.ts';

const PREFIX = '#question=';

/** What a link holds: always the settings, and prompt and target only where the sender has agreed. */
export type Shared = Question | Pick<Question, 'settings'>;

/** What the sender agrees to. */
export interface Agreed {
  /** Prompt and target. */
  readonly text: boolean;
  /** The picture of the prompt; without the text it says nothing. */
  readonly picture: boolean;
}

/** The part of a question that a link may hold. */
export function sharedOf(question: Question, { text, picture }: Agreed): Shared {
  const { settings } = question;
  return text ? { ...question, picture: picture ? question.picture : null } : { settings };
}

/** That part as the hash of an address. */
export function hashOf(shared: Shared): string {
  return hashOfValue(PREFIX, shared);
}

/** What a hash holds; null when there is nothing or it is damaged. */
export function questionIn(hash: string): Shared | null {
  return readShared(valueInHash(PREFIX, hash));
}

function readShared(value: unknown): Shared | null {
  const question = readQuestion(value);
  if (question || !isRecord(value) || !isRecord(value['settings'])) return question;
  return { settings: readSettings(value['settings']) };
}

/** What a followed link brings. */
export type SharedLink = Shared | 'unreadable';

/** Takes what a link holds out of the page's address, so that a reload finds the user's own edits instead; null without one. */
export function takeSharedQuestion({ location, history }: Pick<Window, 'location' | 'history'>): SharedLink | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  const question = questionIn(location.hash);
  history.replaceState(null, '', location.pathname + location.search);
  return question ?? 'unreadable';
}

/** Opens the questions of links that are followed while the page is open, such as one pasted over its address. */
export function openSharedQuestions(page: SharedAddress, open: (link: SharedLink) => void): void {
  page.addEventListener('hashchange', () => {
    const link = takeSharedQuestion(page);
    if (link) open(link);
  });
}

/** The part of a window that a link changes. */
export interface SharedAddress extends Pick<Window, 'location' | 'history'> {
  addEventListener(type: 'hashchange', listener: () => void): void;
}
