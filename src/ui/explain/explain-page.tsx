import { lazy, Suspense, useEffect } from 'react';
import './result/heat/influence.css';
import { useEnterShortcut } from '../parts/enter-shortcut.tsx';
import { promptWords } from '../../words/en/explain/prompt.ts';
import { Page } from '../parts/layout/page.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import { preloadLater } from './preload.ts';
import { QuestionPanel } from './prompt/question-panel.tsx';
import { useAsk } from './prompt/run-bar.tsx';
import { RecordSlot } from './record/record-slot.tsx';
import { ResultPanel } from './result/result-panel.tsx';
import { ComparisonSlot } from './variations/comparison-slot.tsx';
import beside from '../parts/fields/beside.module.css';
import styles from './explain-page.module.css';

/** The question on one side, its explanation on the other. */
export function ExplainPage() {
  useEnterShortcut(useAsk());
  useEffect(preloadLater, []);
  useArrival();
  const words = promptWords();
  return (
    <Page title={words.title} claim={words.claim}>
      <RecordSlot />
      <div className={`${styles.columns} ${beside.answer}`}>
        <QuestionPanel />
        <ResultPanel />
      </div>
      <ComparisonSlot />
      <Suspense>
        <Announcer />
      </Suspense>
    </Page>
  );
}

/** Its words are those of the result, which come in a script of their own. */
const Announcer = lazy(async () => ({ default: (await import('./announcer.tsx')).Announcer }));

/** Asks at once what a link or a first visit brings; as an effect it does so when the page has been painted. */
function useArrival(): void {
  const { explain } = useStores();
  const isUnasked = useStoreValue('explain', (state) => state.isUnasked);
  useEffect(() => {
    if (isUnasked) void explain.getState().run();
  }, [isUnasked, explain]);
}
