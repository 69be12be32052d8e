import { useMemo } from 'react';
import { createSelectionStore } from '../../../../state/explain/selection-store.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { contrastOf, type ContrastStore } from '../../../../state/variations/contrast-store.ts';
import { contrastWords } from '../../../../words/en/explain/contrast.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { GrowingTextarea } from '../../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../../parts/fields/label-row.tsx';
import { StoresContext, useStores, useValueOf } from '../../../use-stores.ts';
import { nextStepAfter, problemText } from '../../problem/next-step.ts';
import problem from '../../problem/problem.module.css';
import panel from '../../result/result-panel.module.css';
import { ContrastResult } from './contrast-result.tsx';
import styles from './contrast.module.css';

/** Holds the target of a result against another one. */
export function ContrastPanel({ outcome }: { readonly outcome: Outcome }) {
  const stores = useStores();
  const store = contrastOf(outcome, stores.variations.getState().source);
  // Hovering over a section shows nothing in the result above: its colours mean something else there.
  const own = useMemo(() => ({ ...stores, selection: createSelectionStore() }), [stores]);
  const words = contrastWords();
  return (
    <StoresContext value={own}>
      <section className={styles.panel} aria-label={words.label} data-testid="contrast-panel">
        <h3 className={panel.blockTitle}>{words.title}</h3>
        <p className={panel.note}>{words.about}</p>
        <Ask store={store} />
        <Answer outcome={outcome} store={store} />
      </section>
    </StoresContext>
  );
}

/** The other target, and the button that asks. */
function Ask({ store }: { readonly store: ContrastStore }) {
  const foil = useValueOf(store, (state) => state.foil);
  const isRunning = useValueOf(store, ({ phase }) => phase.kind === 'running');
  const { edit, run } = store.getState();
  const words = contrastWords();
  return (
    // The shortcut of the page asks the question of the page; here it compares.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.ask}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
        event.stopPropagation();
        event.preventDefault();
        if (!event.repeat && foil !== '') void run();
      }}
    >
      <LabelRow htmlFor="foil" label={words.foil} />
      <GrowingTextarea
        id="foil"
        value={foil}
        placeholder={words.placeholder}
        onChange={(event) => edit(event.target.value)}
      />
      <Button aria-disabled={foil === ''} onClick={() => foil !== '' && void run()}>
        {isRunning ? words.running : words.run}
      </Button>
      {foil === '' && <p className={panel.note}>{words.missing}</p>}
    </div>
  );
}

/** How far it has come, what went wrong, or the contrast. */
function Answer({ outcome, store }: { readonly outcome: Outcome; readonly store: ContrastStore }) {
  const phase = useValueOf(store, (state) => state.phase);
  const words = contrastWords();
  switch (phase.kind) {
    case 'idle':
      return null;
    case 'running':
      return <ProgressBar label={words.running} share={phase.total > 0 ? phase.done / phase.total : null} />;
    case 'done':
      return <ContrastResult outcome={outcome} contrasted={phase.contrasted} />;
    case 'other model':
      return (
        <p className={problem.problem} role="alert">
          {words.otherModel(phase.modelVersion)}
        </p>
      );
    case 'failed': {
      const { title, step } = nextStepAfter(phase.problem.code);
      return (
        <p className={problem.problem} role="alert">
          <b>{title}.</b> {problemText(phase.problem.message)} {step}
        </p>
      );
    }
  }
}
