import type { Answer, CallOptions } from '../../client/client.ts';
import type { LensResponse } from '../../contract/likelihood/lens.ts';
import type { InsideSource } from './similarity.ts';

/** A prompt, and a text whose first token is rated at each layer; empty: none. */
export interface LensAsked {
  readonly prompt: string;
  readonly target: string;
}

/** Last tokens of the prompt that are looked at, and likeliest tokens of each layer. */
const POSITIONS = 6;
const ALTERNATIVES = 5;

/** Asks what each layer would predict behind the last tokens of the prompt. */
export function askLens(
  { client, model }: InsideSource,
  { prompt, target }: LensAsked,
  { signal }: CallOptions,
): Promise<Answer<LensResponse>> {
  const body = { model, prompt, positions: POSITIONS, alternatives: ALTERNATIVES, target: target || null };
  return client.lens(body, { ...(signal && { signal }) });
}

/** Layers at the last position, from the last one, which speaks for the model, to the word embeddings. */
export function layersOf({ positions }: LensResponse): LensResponse['positions'][number]['layers'] {
  return (positions.at(-1)?.layers ?? []).toReversed();
}

/** What stands out behind the last token. */
export interface LensFindings {
  /** The token that the model itself predicts. */
  readonly said: string;
  /** The first layer from which on it is the likeliest at every layer. */
  readonly since: number;
  readonly lastLayer: number;
}

/** Since which layer the model's own prediction stands; null where there is none. */
export function lensFindings(response: LensResponse): LensFindings | null {
  const layers = layersOf(response);
  const [last] = layers;
  const said = last?.tokens[0]?.token;
  if (!last || said === undefined) return null;
  const other = layers.find(({ tokens }) => tokens[0]?.token !== said);
  return { said, since: other ? other.layer + 1 : 0, lastLayer: last.layer };
}
