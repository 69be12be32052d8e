import type { Answer, CallOptions } from '../../../client/client.ts';
import { NEUTRAL_NATS, rankedIn } from '../../explain/influence.ts';
import type { Outcome } from '../../explain/outcome.ts';
import { type Deleted, deletions, explained, type LearnSource, questionOf, type Texts } from './asked.ts';

/** Words that are deleted too, for comparison. */
const MOST_DELETED = 4;

/** An explanation by word, and what deleting its strongest words does. */
export interface AttentionFound {
  readonly outcome: Outcome;
  /** The strongest first; fewer words may have an effect. */
  readonly deleted: readonly Deleted[];
}

/** Explains the texts word by word, then deletes the strongest words one at a time. */
export async function askAttention(
  source: LearnSource,
  texts: Texts,
  call: CallOptions,
): Promise<Answer<AttentionFound>> {
  const answer = await explained(source, questionOf(texts), call);
  if (!answer.ok) return answer;
  const outcome = answer.value;
  const strongest = rankedIn(outcome.influence.prompt, 'whole').filter(({ total }) => Math.abs(total) >= NEUTRAL_NATS);
  const deleted = await deletions(source, outcome, strongest.slice(0, MOST_DELETED), call);
  return { ok: true, value: { outcome, deleted } };
}

/** How dimming and deleting compare: which of three things can be said truly. */
export type Agreement =
  | { readonly kind: 'none' }
  /** Some word has another sign. */
  | { readonly kind: 'sign'; readonly example: Deleted }
  /** All signs agree, but the sizes differ by half or more. */
  | { readonly kind: 'size'; readonly example: Deleted }
  | { readonly kind: 'alike' };

/** A change by less is none, nats. */
const CLEAR_NATS = 0.5;

/** Compares what dimming says of words with what deleting says. */
export function agreementOf(deleted: readonly Deleted[]): Agreement {
  if (deleted.length === 0) return { kind: 'none' };
  const isClear = (nats: number) => Math.abs(nats) >= CLEAR_NATS;
  const turned = deleted.find(
    ({ section: { total }, loss }) => isClear(total) && isClear(loss) && total > 0 !== loss > 0,
  );
  if (turned) return { kind: 'sign', example: turned };
  const gap = ({ section: { total }, loss }: Deleted) => Math.abs(total - loss);
  const [widest] = [...deleted].sort((a, b) => gap(b) - gap(a));
  const isWide = widest && gap(widest) >= Math.max(CLEAR_NATS, Math.abs(widest.section.total) / 2);
  return isWide ? { kind: 'size', example: widest } : { kind: 'alike' };
}
