import { useEffect } from 'react';
import { useStores } from '../use-stores.ts';
import { Announcer } from './result/announcer.tsx';
import { preloadBars } from './scores/bars.ts';
import styles from './explain-page.module.css';
import './scores/influence.css';
import { QuestionPanel } from './prompt/question-panel.tsx';
import { ResultPanel } from './result/result-panel.tsx';
import { PageHead } from '../parts/layout/page-head.tsx';
import { useEnterShortcut } from '../parts/keys/use-enter-shortcut.ts';

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
