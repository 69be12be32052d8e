import type { Answer, CallOptions } from '../../client/client.ts';
import { FRAGMENT } from '../explain/text/target-words.ts';
import { cosine, type InsideSource } from './similarity.ts';

/** Tokens of a text that are compared at most: each costs a request, and a table of more is read by nobody. */
export const MOST_TOKENS = 24;

/** Two texts, and the layer at which their tokens are compared. */
export interface TokensAsked {
  readonly a: string;
  readonly b: string;
  readonly layer: number;
}

/** Tokens of a text whose hidden state is known: several where they end within a character or a word piece. */
export interface KnownTokens {
  readonly texts: readonly string[];
  /** The text goes on. */
  readonly isCut: boolean;
}

/** How alike the tokens of two texts are at a layer. */
export interface TokenGrid {
  readonly a: KnownTokens;
  readonly b: KnownTokens;
  /** Cosine similarities, `[token of a][token of b]`. */
  readonly cosines: readonly (readonly number[])[];
}

/**
 * Compares the tokens of two texts. A decoder's token sees nothing behind it, so its hidden state is that of the last
 * token of the text up to there, which `/embed` gives. Where the text up to a token is cut into other tokens, the token is
 * joined to the next one.
 */
export async function askTokenGrid(
  source: InsideSource,
  { a, b, layer }: TokensAsked,
  call: CallOptions,
): Promise<Answer<TokenGrid>> {
  const [first, second] = [await askStates(source, a, layer, call), await askStates(source, b, layer, call)];
  if (!first.ok) return first;
  if (!second.ok) return second;
  const cosines = first.value.states.map((row) => second.value.states.map((column) => cosine(row, column)));
  return { ok: true, value: { a: first.value.known, b: second.value.known, cosines } };
}

interface States {
  readonly known: KnownTokens;
  /** `[known tokens][width]`. */
  readonly states: readonly (readonly number[])[];
}

async function askStates(
  { client, model }: InsideSource,
  text: string,
  layer: number,
  { signal }: CallOptions,
): Promise<Answer<States>> {
  const call = { ...(signal && { signal }) };
  const whole = await client.embed({ model, prompt: text, layers: [layer], tokens: true }, call);
  if (!whole.ok) return whole;
  const tokens = whole.value.tokens ?? [];
  const [texts, states]: [string[], number[][]] = [[], []];
  let joined = '';
  for (let end = 1; end <= Math.min(tokens.length, MOST_TOKENS); end++) {
    joined += tokens[end - 1] ?? '';
    const prompt = tokens.slice(0, end).join('');
    if (prompt.includes(FRAGMENT)) continue; // ends within a character
    const answer = await client.embed({ model, prompt, layers: [layer], pooling: ['last_token'], tokens: true }, call);
    if (!answer.ok) return answer;
    if (answer.value.tokens?.join('\n') !== tokens.slice(0, end).join('\n')) continue;
    texts.push(joined);
    states.push(answer.value.embeddings[`layer_${layer}`]?.last_token ?? []);
    joined = '';
  }
  return { ok: true, value: { known: { texts, isCut: joined !== '' || tokens.length > MOST_TOKENS }, states } };
}

/** A token that stands in both texts, and the range of its similarities. */
export interface SharedToken {
  readonly text: string;
  readonly low: number;
  readonly high: number;
}

/** Tokens with letters that stand in both texts, the least alike first. */
export function sharedTokens({ a, b, cosines }: TokenGrid): SharedToken[] {
  const found = [...new Set(a.texts)]
    .filter((text) => /\p{L}/u.test(text) && b.texts.includes(text))
    .map((text) => {
      const values = a.texts.flatMap((one, row) =>
        one === text ? b.texts.flatMap((other, column) => (other === text ? [cosines[row]?.[column] ?? 0] : [])) : [],
      );
      return { text, low: Math.min(...values), high: Math.max(...values) };
    });
  return found.sort((one, other) => one.low - other.low);
}

/** The most alike tokens of the two texts that differ in more than their space; null where there are none. */
export function closestOthers({
  a,
  b,
  cosines,
}: TokenGrid): { readonly a: string; readonly b: string; readonly value: number } | null {
  let closest: { a: string; b: string; value: number } | null = null;
  for (const [row, one] of a.texts.entries())
    for (const [column, other] of b.texts.entries()) {
      const value = cosines[row]?.[column] ?? 0;
      if (one.trim() !== other.trim() && value > (closest?.value ?? -Infinity)) closest = { a: one, b: other, value };
    }
  return closest;
}
