import { type Question, readQuestion } from '../question.ts';

const PREFIX = '#question=';

/** The question as the hash of an address; a hash is never sent to a server. */
export function hashOf(question: Question): string {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return PREFIX + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The question in a hash; null when there is none or it is damaged. */
export function questionIn(hash: string): Question | null {
  if (!hash.startsWith(PREFIX)) return null;
  try {
    const text = atob(hash.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return readQuestion(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** What a followed link brings. */
export type SharedLink = Question | 'unreadable';

/** Takes the question out of the page's address, so that a reload finds the user's own edits instead; null without one. */
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
