import type { LensResponse } from '../../contract/likelihood/lens.ts';
import { createLiveStore, type LiveStore } from '../page/live-store.ts';
import { LENS_EXAMPLE, TEXT_SETS } from './examples.ts';
import { askLens, type LensAsked } from './lens.ts';
import { askSimilarity, type InsideSource, type SimilarityFound } from './similarity.ts';
import { askTokenGrid, type TokenGrid, type TokensAsked } from './token-grid.ts';

/** What is asked on the Inside page. */
export interface InsideLives {
  readonly similarity: LiveStore<{ readonly texts: readonly string[] }, SimilarityFound>;
  readonly tokens: LiveStore<TokensAsked, TokenGrid>;
  readonly lens: LiveStore<LensAsked, LensResponse>;
}

const known = new WeakMap<InsideSource, InsideLives>();

/** The questions of a page: texts and answers stay where the page is left and comes back. */
export function insideLivesOf(source: InsideSource): InsideLives {
  const lives = known.get(source) ?? createLives(source);
  known.set(source, lives);
  return lives;
}

function createLives(source: InsideSource): InsideLives {
  const [{ texts }] = TEXT_SETS;
  return {
    similarity: createLiveStore({ texts }, (asked, call) => askSimilarity(source, asked, call)),
    tokens: createLiveStore<TokensAsked, TokenGrid>({ a: texts[0] ?? '', b: texts[1] ?? '', layer: 0 }, (asked, call) =>
      askTokenGrid(source, asked, call),
    ),
    lens: createLiveStore<LensAsked, LensResponse>(LENS_EXAMPLE, (asked, call) => askLens(source, asked, call)),
  };
}
