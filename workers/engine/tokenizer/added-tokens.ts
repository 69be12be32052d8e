import { type AlignedText, alignedText, slicedText } from './aligned-text.ts';
import { countField, flagField, type JsonPart, partsOf, textField } from './json-fields.ts';
import type { Normaliser } from './normaliser.ts';
import { WHITE_SPACE, WORD_CHARACTERS } from './patterns.ts';

/** A token that is looked for in a text before the model splits the rest. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** Only where no letter or number stands next to it. */
  readonly isWord: boolean;
  /** White space before it belongs to it. */
  readonly takesLeft: boolean;
  /** White space after it belongs to it. */
  readonly takesRight: boolean;
  /** Looked for in the normalised text, as the normaliser changes it. */
  readonly isNormalised: boolean;
}

/** `added_tokens` of `tokenizer.json`. @throws {FailureError} MODEL_UNAVAILABLE naming a field of another type */
export function readAddedTokens(json: JsonPart): AddedToken[] {
  return partsOf(json, 'added_tokens').map((part) => ({
    id: countField(part, 'id', 0),
    content: textField(part, 'content', ''),
    isWord: flagField(part, 'single_word', false),
    takesLeft: flagField(part, 'lstrip', false),
    takesRight: flagField(part, 'rstrip', false),
    isNormalised: flagField(part, 'normalized', !flagField(part, 'special', false)),
  }));
}

/** A part of a text: an added token, or a text that is left to the model. */
export type FoundSection =
  | { readonly token: AddedToken; readonly start: number; readonly end: number }
  | { readonly token?: undefined; readonly aligned: AlignedText };

/**
 * Finds added tokens in a text, first those that are looked for as given, then, in the normalised rest, the others.
 *
 * @returns the sections in order
 * @source  tokenizers, `added_vocabulary.rs`
 */
export function createSectionFinder(
  tokens: readonly AddedToken[],
  normalise: Normaliser,
): (text: string) => FoundSection[] {
  const given = createFinder(tokens.filter(({ isNormalised }) => !isNormalised).map((token) => [token.content, token]));
  const normalised = createFinder(
    tokens
      .filter(({ isNormalised }) => isNormalised)
      .map((token) => [normalise(alignedText(token.content)).text, token]),
  );
  return (text) =>
    given(alignedText(text)).flatMap((section) => (section.token ? [section] : normalised(normalise(section.aligned))));
}

type Finder = (aligned: AlignedText) => FoundSection[];

interface TrieNode {
  readonly next: Map<number, TrieNode>;
  token?: AddedToken;
}

/** Finds the longest tokens, from left to right. */
function createFinder(tokens: readonly (readonly [content: string, token: AddedToken])[]): Finder {
  const root: TrieNode = { next: new Map() };
  for (const [content, token] of tokens) {
    if (content === '') continue;
    let node = root;
    for (let i = 0; i < content.length; i++) {
      const unit = content.charCodeAt(i);
      const child = node.next.get(unit) ?? { next: new Map() };
      node.next.set(unit, child);
      node = child;
    }
    node.token = token;
  }
  if (root.next.size === 0) return (aligned) => (aligned.text === '' ? [] : [{ aligned }]);
  return (aligned) => sectionsOf(aligned, root);
}

function sectionsOf(aligned: AlignedText, root: TrieNode): FoundSection[] {
  const { text, starts, ends } = aligned;
  const sections: FoundSection[] = [];
  let done = 0;
  const leave = (to: number) => {
    if (to > done) sections.push({ aligned: slicedText(aligned, done, to) });
  };
  for (let at = 0; at < text.length;) {
    const found = longestAt(text, at, root);
    if (!found || (found.token.isWord && !standsAlone(text, at, found.end))) {
      at = found?.end ?? at + 1;
      continue;
    }
    const { token } = found;
    const from = token.takesLeft ? Math.max(done, startOfSpace(text, at, done)) : at;
    const to = token.takesRight ? endOfSpace(text, found.end) : found.end;
    leave(from);
    if (from < to) sections.push({ token, start: starts[from] ?? 0, end: ends[to - 1] ?? 0 });
    done = to;
    at = found.end; // a token may begin with white space that the one before it takes
  }
  leave(text.length);
  return sections;
}

function longestAt(text: string, at: number, root: TrieNode): { token: AddedToken; end: number } | undefined {
  let found: { token: AddedToken; end: number } | undefined;
  let node = root.next.get(text.charCodeAt(at));
  for (let end = at + 1; node; node = node.next.get(text.charCodeAt(end++)))
    if (node.token) found = { token: node.token, end };
  return found;
}

const WORD = new RegExp(`[${WORD_CHARACTERS}]`, 'u');
const SPACE = new RegExp(WHITE_SPACE, 'u');

function standsAlone(text: string, from: number, to: number): boolean {
  const before = /[\s\S]$/u.exec(text.slice(Math.max(0, from - 2), from))?.[0] ?? '';
  const after = /^[\s\S]/u.exec(text.slice(to, to + 2))?.[0] ?? '';
  return !WORD.test(before) && !WORD.test(after);
}

/** All white space is one UTF-16 unit a character. */
function startOfSpace(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && SPACE.test(text.charAt(start - 1))) start--;
  return start;
}

function endOfSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && SPACE.test(text.charAt(end))) end++;
  return end;
}
