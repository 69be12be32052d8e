import { useEffect, useRef, useState } from 'react';
import type { Section } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { whatIfOf, type WhatIfStore } from '../../../../state/variations/what-if-store.ts';
import { whatIfWords } from '../../../../words/en/explain/what-if.ts';
import { numberText } from '../../../../words/numbers.ts';
import { Button } from '../../../parts/buttons.tsx';
import { useStores, useStoreValue, useValueOf } from '../../../use-stores.ts';
import { ControlsFold } from './controls-fold.tsx';
import { FactorRow } from './factor-row.tsx';
import { PromptChoice } from './prompt-choice.tsx';
import { SideBySide } from './side-by-side.tsx';
import panel from '../../result/result-panel.module.css';
import styles from './what-if.module.css';

/** Changes the attention to parts of the prompt, and shows beside the result what the model says then. */
export function WhatIfPanel({ outcome }: { readonly outcome: Outcome }) {
  const { selection, variations } = useStores();
  const store = whatIfOf(outcome, variations.getState().source);
  const { area, focusRow, focusWord, focusTitle, focusSummary } = useFocus();
  const words = whatIfWords();
  const choose = (id: string) => {
    const { pinned, pin } = selection.getState();
    if (pinned !== id) pin(id);
    focusRow(id);
  };
  return (
    <section className={styles.panel} aria-label={words.label} data-testid="what-if-panel" ref={area}>
      <h3 className={panel.blockTitle} tabIndex={-1}>
        {words.title}
      </h3>
      <p className={panel.note}>{outcome.question.picture ? words.chooseTiles : words.chooseWords}</p>
      <PromptChoice outcome={outcome} store={store} onChoose={choose} />
      <Rows outcome={outcome} store={store} onReset={choose} onLeave={focusWord} />
      <ResetAll store={store} onReset={focusTitle} />
      <SideBySide outcome={outcome} store={store} onRetry={focusSummary} />
      <ControlsFold outcome={outcome} store={store} />
    </section>
  );
}

/** Moves the focus after the panel has been drawn again: to a slider that has just appeared, and back to its word. */
function useFocus() {
  const area = useRef<HTMLElement>(null);
  const [wanted, setWanted] = useState<{ readonly selector: string } | null>(null);
  useEffect(() => {
    if (wanted) area.current?.querySelector<HTMLElement>(wanted.selector)?.focus();
  }, [wanted]);
  return {
    area,
    focusRow: (id: string) => setWanted({ selector: `[data-row="${id}"] input` }),
    focusWord: (id: string) => setWanted({ selector: `[data-section="${id}"]` }),
    focusTitle: () => setWanted({ selector: 'h3' }),
    focusSummary: () => setWanted({ selector: '[data-summary]' }),
  };
}

/** See `Rows`. */
interface RowsProps {
  readonly outcome: Outcome;
  readonly store: WhatIfStore;
  readonly onReset: (id: string) => void;
  readonly onLeave: (id: string) => void;
}

/** A slider for each section that is changed, and for the one that is picked. */
function Rows({ outcome, store, onReset, onLeave }: RowsProps) {
  const factors = useValueOf(store, (state) => state.factors);
  const pinned = useStoreValue('selection', (state) => state.pinned);
  const { change } = store.getState();
  const reset = ({ id }: Section) => {
    change(id, 1);
    onReset(id);
  };
  return outcome.influence.sections
    .filter(({ id }) => id === pinned || factors.has(id))
    .map((section) => (
      <FactorRow
        key={section.id}
        section={section}
        factor={factors.get(section.id) ?? 1}
        onChange={(factor) => change(section.id, factor)}
        onReset={() => reset(section)}
        onLeave={() => onLeave(section.id)}
      />
    ));
}

function ResetAll({ store, onReset }: { readonly store: WhatIfStore; readonly onReset: () => void }) {
  const count = useValueOf(store, (state) => state.factors.size);
  if (count < 2) return null;
  const reset = () => {
    store.getState().reset();
    onReset();
  };
  return (
    <div>
      <Button look="quiet" onClick={reset}>
        {whatIfWords().resetAll(numberText(count))}
      </Button>
    </div>
  );
}
