import { useEffect } from 'react';
import { useStores } from '../use-stores.ts';
import { Announcer } from './announcer.tsx';
import { preloadBars } from './bars.ts';
import styles from './explain-page.module.css';
import './influence.css';
import { QuestionPanel } from './question-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useEnterShortcut } from '../parts/use-enter-shortcut.ts';

/** The heart of the house: a question on one side, what carried the answer on the other. */
export function ExplainPage() {
  const { explain } = useStores();
  useEnterShortcut(() => void explain.getState().run());
  useEffect(preloadBars, []);
  return (
    <main>
      <PageHead title="Explain" claim="Which part of the prompt pushes the model towards the target?" />
      <div className={styles.columns}>
        <QuestionPanel />
        <ResultPanel />
      </div>
      <Announcer />
    </main>
  );
}
