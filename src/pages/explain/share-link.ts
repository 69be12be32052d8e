import { isRecord } from '../../contract/records.ts';
import { hashOfValue, valueInHash } from '../../stores/hash-value.ts';
import { MAX_PASTED } from '../../parts/fields/growing-textarea.tsx';
import type { SharedLink } from './explain-store.ts';
import { type Question, readQuestion, readSettings } from '../../explanations/question.ts';

const PREFIX = '#question=';

type SharedQuestion = Exclude<SharedLink, 'unreadable'>;

/** A question as the hash of an address. @param agreed  to send prompt and target; their picture goes only with them */
export function hashOf(question: Question, agreed: { readonly text: boolean; readonly picture: boolean }): string {
  const { settings, picture } = question;
  const shared: SharedQuestion = agreed.text ? { ...question, picture: agreed.picture ? picture : null } : { settings };
  return hashOfValue(PREFIX, shared);
}

/** The question in a hash; null for another hash, for a damaged one, and for texts longer than a field takes at once. */
export function questionIn(hash: string): SharedQuestion | null {
  const value = valueInHash(PREFIX, hash);
  const question = readQuestion(value);
  if (question && [question.prompt, question.target].some((text) => text.length > MAX_PASTED)) return null;
  if (question || !isRecord(value) || 'prompt' in value || !isRecord(value['settings'])) return question;
  return { settings: readSettings(value['settings']) };
}

/** Moves the question of a link out of the page's address, so that a reload finds the user's own edits; null without one. */
export function takeSharedQuestion({ location, history }: Pick<Window, 'location' | 'history'>): SharedLink | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  const question = questionIn(location.hash);
  history.replaceState(null, '', location.pathname + location.search);
  return question ?? 'unreadable';
}
