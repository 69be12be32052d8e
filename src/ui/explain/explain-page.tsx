import { useEffect } from 'react';
import './result/heat/influence.css';
import { useEnterShortcut } from '../parts/enter-shortcut.tsx';
import { Page } from '../parts/layout/page.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import { QuestionPanel } from './prompt/question-panel.tsx';
import { runText, spokenProgress } from './prompt/question-texts.ts';
import { captionOf } from './result/head/caption.ts';
import { preloadParts } from './result/later.ts';
import { nextStepAfter } from './result/next-step.ts';
import { ResultPanel } from './result/result-panel.tsx';
import { ComparisonSlot } from './variations/comparison-slot.tsx';
import styles from './explain-page.module.css';

/** The question on one side, its explanation on the other. */
export function ExplainPage() {
  const { explain } = useStores();
  useEnterShortcut(() => void explain.getState().run());
  useEffect(preloadParts, []);
  return (
    <Page title="Explain" claim="Which part of the prompt pushes the model towards the target?">
      <div className={styles.columns}>
        <QuestionPanel />
        <ResultPanel />
      </div>
      <ComparisonSlot />
      <Announcer />
    </Page>
  );
}

/** Tells screen readers what happens: the start, each quarter, and the result in a sentence. */
function Announcer() {
  const phase = useStoreValue('explain', (state) => state.phase);
  const engine = useStoreValue('engine', (state) => state.status);
  const message = () => {
    switch (phase.kind) {
      case 'idle':
        return '';
      case 'running':
        return spokenProgress(runText(phase.progress, engine));
      case 'done': {
        const { lead, detail } = captionOf(phase.value, 'whole');
        return `${lead} ${detail}`;
      }
      case 'failed':
        return nextStepAfter(phase.problem.code).title;
    }
  };
  return (
    <p className="visually-hidden" aria-live="polite">
      {message()}
    </p>
  );
}
