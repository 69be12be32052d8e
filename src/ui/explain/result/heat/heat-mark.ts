import { sectionsWords } from '../../../../words/en/explain/sections.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { useStoreValue } from '../../../use-stores.ts';
import { scoreText } from '../../texts.ts';
import { signOf, sizeStyle } from './colour-scale.ts';

/** A section in its colour. */
export interface HeatMark {
  readonly id: string;
  /** null where it has none yet. */
  readonly score: number | null;
  /** Nats; null where the score is exact. Left out: null. */
  readonly margin?: number | null;
  /** Whether the Tab key stops here. */
  readonly isReachable: boolean;
}

/**
 * What the element of a section carries, whatever it looks like: its name for screen readers, its score for style sheet
 * and label. It follows only whether this section is active, so that hovering renders two sections.
 */
export function useHeatMark({ id, score, margin = null, isReachable }: HeatMark, name: string) {
  const isActive = useStoreValue('selection', (state) => activeIn(state) === id);
  const isPinned = useStoreValue('selection', (state) => state.pinned === id);
  const number = score === null ? sectionsWords().noScore : scoreText(score, margin);
  return {
    tabIndex: isReachable ? 0 : -1,
    'aria-pressed': isPinned,
    'aria-label': `${name}, ${number}`,
    'data-section': id,
    'data-score': score ?? undefined,
    'data-sign': signOf(score ?? 0),
    'data-active': isActive || undefined,
    'data-estimated': (score !== null && margin !== null) || undefined,
    'data-label': number,
    style: sizeStyle(score ?? 0),
  };
}
