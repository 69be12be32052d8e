/** Texts that a completion must consist of, or must not contain. */
export interface TextBias {
  readonly texts: readonly string[];
  /** Only the first token is held to it. */
  readonly firstTokenOnly: boolean;
}

/** What was written so far. */
export interface Written {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Whether a token keeps a completion within the texts that are allowed: each token goes on in one of them, and behind a
 * whole one any of them may begin.
 *
 * @param piece  the token's text
 */
export function isIncluded({ texts, firstTokenOnly }: TextBias, { text, tokens }: Written, piece: string): boolean {
  if (piece === '') return false;
  if (firstTokenOnly) return tokens > 0 || texts.some((option) => option.startsWith(piece));
  return [...openIn(texts, text)].some((rest) => texts.some((option) => option.startsWith(rest + piece)));
}

/** Whether the text so far consists of whole allowed texts, so that it may end here. */
export function mayEnd({ texts, firstTokenOnly }: TextBias, { text, tokens }: Written): boolean {
  return firstTokenOnly ? tokens > 0 : text !== '' && openIn(texts, text).has('');
}

/** Whether a token makes a completion contain a text that is not allowed, or begin as one where only the first token counts. */
export function isExcluded({ texts, firstTokenOnly }: TextBias, { text, tokens }: Written, piece: string): boolean {
  if (piece === '') return false;
  if (firstTokenOnly)
    return tokens === 0 && texts.some((option) => option.startsWith(piece) || piece.startsWith(option));
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  const end = text.slice(Math.max(0, text.length - longest + 1)) + piece;
  return texts.some((option) => end.includes(option));
}

/** Beginnings of allowed texts that a text may end in, behind whole ones; '' where it ends in a whole one. */
function openIn(texts: readonly string[], text: string): ReadonlySet<string> {
  let open = new Set(['']);
  for (const character of text) {
    const begun = [...open].map((rest) => rest + character);
    const longer = begun.filter((rest) => texts.some((option) => option !== rest && option.startsWith(rest)));
    open = new Set([...longer, ...(begun.some((rest) => texts.includes(rest)) ? [''] : [])]);
  }
  return open;
}
