import type { Page } from './page-store.ts';

/** Keys by the names that the words have; those of one list are pressed together. */
export type KeyName =
  | 'mod'
  | 'enter'
  | 'escape'
  | 'arrows'
  | 'tab'
  | 'home'
  | 'end'
  | 'question'
  | 'plus'
  | 'minus'
  | 'zero';

/** What keys do. */
export interface KeyRow {
  /** Ways to do it, each the keys that are pressed together. */
  readonly ways: readonly (readonly KeyName[])[];
  /** Name of the text in the words of the keyboard. */
  readonly does: KeyAction;
}

/** What keys can do; the words of the keyboard have a text for each. */
export type KeyAction =
  | ('map' | 'next' | 'choose' | 'leave')
  | ('run' | 'walk' | 'ends' | 'pick' | 'release')
  | ('ask' | 'walkAnswers' | 'showAnswer')
  | ('runExample' | 'showPair' | 'slide' | 'walkWords' | 'scroll')
  | 'walkMatrix'
  | ('walkMap' | 'zoom' | 'wholeMap' | 'pickText' | 'forget')
  | ('send' | 'save' | 'discard');

/** The keys of every page. */
export const EVERYWHERE: readonly KeyRow[] = [
  { ways: [['question']], does: 'map' },
  { ways: [['tab']], does: 'next' },
  { ways: [['enter']], does: 'choose' },
  { ways: [['escape']], does: 'leave' },
];

/** The keys that a page has beside them. A new page puts its own here. */
const OF_PAGES: Readonly<Partial<Record<Page, readonly KeyRow[]>>> = {
  explain: [
    { ways: [['mod', 'enter']], does: 'run' },
    { ways: [['arrows']], does: 'walk' },
    { ways: [['home'], ['end']], does: 'ends' },
    { ways: [['enter']], does: 'pick' },
    { ways: [['escape']], does: 'release' },
  ],
  documents: [
    { ways: [['enter']], does: 'ask' },
    { ways: [['arrows']], does: 'walkAnswers' },
    { ways: [['enter']], does: 'showAnswer' },
  ],
  inside: [
    { ways: [['mod', 'enter']], does: 'runExample' },
    { ways: [['tab']], does: 'showPair' },
    { ways: [['arrows']], does: 'slide' },
  ],
  learn: [
    { ways: [['mod', 'enter']], does: 'runExample' },
    { ways: [['arrows']], does: 'walkWords' },
    { ways: [['tab']], does: 'showPair' },
    { ways: [['escape']], does: 'release' },
  ],
  privacy: [{ ways: [['arrows']], does: 'scroll' }],
  meaning: [
    { ways: [['arrows']], does: 'walkMap' },
    { ways: [['plus'], ['minus']], does: 'zoom' },
    { ways: [['zero']], does: 'wholeMap' },
    { ways: [['enter']], does: 'pickText' },
    { ways: [['escape']], does: 'forget' },
    { ways: [['arrows']], does: 'walkMatrix' },
  ],
  api: [{ ways: [['mod', 'enter']], does: 'send' }],
  settings: [
    { ways: [['enter']], does: 'save' },
    { ways: [['escape']], does: 'discard' },
  ],
};

/** The keys of a page alone. */
export function keysOf(page: Page): readonly KeyRow[] {
  return OF_PAGES[page] ?? [];
}

/** The part of a key's event that decides. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented'>;

/** Whether a key opens the map: not while somebody types, and not with another key held. */
export function opensMap({ key, ctrlKey, metaKey, altKey, defaultPrevented }: Pressed, isTyping: boolean): boolean {
  return key === '?' && !isTyping && !ctrlKey && !metaKey && !altKey && !defaultPrevented;
}
