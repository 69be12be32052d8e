import { useEffect, useMemo, useRef } from 'react';
import { createSelectionStore } from '../../../../state/explain/selection-store.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { comparedWith, type CompareStore } from '../../../../state/variations/compare-store.ts';
import { comparisonOf } from '../../../../state/variations/comparison.ts';
import { compareWords } from '../../../../words/en/explain/compare.ts';
import { Button } from '../../../parts/buttons.tsx';
import { StoresContext, useStores, useValueOf } from '../../../use-stores.ts';
import card from '../../../parts/layout/card.module.css';
import panel from '../../result/result-panel.module.css';
import styles from './comparison.module.css';
import { Difference } from './difference.tsx';
import { FirstQuestion, SecondQuestion } from './questions.tsx';
import { largestOfSides, SideResult } from './side-result.tsx';

/** See `ComparisonSection`. */
export interface ComparisonSectionProps {
  readonly first: Outcome;
  readonly onClose: () => void;
}

/** A result and another question side by side, and the difference of both. */
export function ComparisonSection({ first, onClose }: ComparisonSectionProps) {
  const stores = useStores();
  const store = comparedWith(first, stores.variations.getState().source);
  // Hovering over a section shows its match, and nothing in the result above.
  const own = useMemo(() => ({ ...stores, selection: createSelectionStore() }), [stores]);
  const title = useNewTitle();
  const words = compareWords();
  return (
    <StoresContext value={own}>
      <section className={`${card.card} ${styles.section}`} aria-label={words.label} data-testid="comparison">
        <div className={panel.blockHead}>
          <h2 className={styles.title} tabIndex={-1} ref={title}>
            {words.title}
          </h2>
          <Button look="quiet" onClick={onClose}>
            {words.close}
          </Button>
        </div>
        <p className={panel.note}>{words.about}</p>
        <Sides first={first} store={store} />
      </section>
    </StoresContext>
  );
}

/** Takes the focus to a comparison that was just opened; one that is drawn again when its page comes back leaves it. */
function useNewTitle() {
  const { variations } = useStores();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (variations.getState().arrive()) title.current?.focus();
  }, [variations]);
  return title;
}

/** Both questions, both results on one scale, and their difference. */
function Sides({ first, store }: { readonly first: Outcome; readonly store: CompareStore }) {
  const phase = useValueOf(store, (state) => state.phase);
  const second = phase.kind === 'done' ? phase.value : phase.kind === 'running' ? phase.partial : null;
  const comparison = useMemo(() => second && comparisonOf(first, second), [first, second]);
  const largest = largestOfSides(second ? [first, second] : [first]);
  return (
    <>
      <div className={styles.sides}>
        <FirstQuestion outcome={first} />
        <SideResult name="A" side="a" outcome={first} comparison={comparison} largest={largest} />
        <SecondQuestion store={store} />
        {second && <SideResult name="B" side="b" outcome={second} comparison={comparison} largest={largest} />}
      </div>
      {second && comparison && <Difference a={first} b={second} comparison={comparison} largest={largest} />}
    </>
  );
}
