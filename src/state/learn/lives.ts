import type { Outcome } from '../explain/outcome.ts';
import { askSimilarity, type SimilarityFound } from '../inside/similarity.ts';
import { createLiveStore, type LiveStore } from '../page/live-store.ts';
import { askAttention, type AttentionFound } from './lessons/attention.ts';
import { explained, type LearnSource, questionOf, type Texts } from './lessons/asked.ts';
import { askGranularity, type GranularityFound } from './lessons/granularity.ts';
import { FIRST_TEXTS, type Limit, LIMITS } from './lessons/first-texts.ts';
import { askTokens, type TokensFound } from './lessons/tokens.ts';

/** The live example of each lesson. */
export interface Lives {
  readonly tokens: LiveStore<{ readonly text: string }, TokensFound>;
  readonly attention: LiveStore<Texts, AttentionFound>;
  readonly granularity: LiveStore<Texts, GranularityFound>;
  readonly layers: LiveStore<{ readonly texts: readonly string[] }, SimilarityFound>;
  readonly limits: Readonly<Record<Limit, LiveStore<Texts, Outcome>>>;
}

function createLives(source: LearnSource): Lives {
  const limit = ({ prompt, target }: Texts) =>
    createLiveStore({ prompt, target }, (asked, call) => explained(source, questionOf(asked), call));
  return {
    layers: createLiveStore<{ readonly texts: readonly string[] }, SimilarityFound>(FIRST_TEXTS.layers, (asked, call) =>
      askSimilarity(source, asked, call),
    ),
    limits: {
      negation: limit(LIMITS.negation),
      sentiment: limit(LIMITS.sentiment),
      knowledge: limit(LIMITS.knowledge),
    },
    tokens: createLiveStore(FIRST_TEXTS.tokens, (asked, call) => askTokens(source, asked, call)),
    attention: createLiveStore(FIRST_TEXTS.attention, (asked, call) => askAttention(source, asked, call)),
    granularity: createLiveStore(FIRST_TEXTS.granularity, (asked, call) => askGranularity(source, asked, call)),
  };
}

const known = new WeakMap<LearnSource, Lives>();

/** The live examples of a page: edits and answers stay where the page is left and comes back. */
export function livesOf(source: LearnSource): Lives {
  const lives = known.get(source) ?? createLives(source);
  known.set(source, lives);
  return lives;
}
