import { lazy, Suspense, useState } from 'react';
import type { SimilarityFound } from '../../../state/inside/similarity.ts';
import { canCompare } from '../../../state/inside/similarity.ts';
import { insideLivesOf } from '../../../state/inside/lives.ts';
import { FIRST_TEXTS } from '../../../state/learn/lessons/first-texts.ts';
import { livesOf } from '../../../state/learn/lives.ts';
import { hashOfPage } from '../../../state/page/page-store.ts';
import { insideWords } from '../../../words/en/inside.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { numberText } from '../../../words/numbers.ts';
import { PairTable } from '../../inside/pair-table.tsx';
import { similarityNotice } from '../../inside/similarity-texts.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useValueOf } from '../../use-stores.ts';
import { LivePanel } from '../live/live-panel.tsx';
import { Notice } from '../live/notice.tsx';
import { TextField } from '../live/text-fields.tsx';
import { LessonFrame } from './lesson-frame.tsx';
import live from '../live/live.module.css';

const SimilarityLines = lazy(async () => ({
  default: (await import('../../charts/similarity-lines.tsx')).SimilarityLines,
}));

/** Lesson 4: how alike texts are at each layer. */
export function LayersLesson() {
  const { inside, learn } = useStores();
  const store = livesOf(learn.getState().source).layers;
  const { texts } = useValueOf(store, (state) => state.asked);
  const { edit } = store.getState();
  const open = () => {
    const { similarity } = insideLivesOf(inside.getState().source);
    similarity.getState().replace({ texts }); // Undo brings back what stood there
    void similarity.getState().run();
    location.hash = hashOfPage('inside');
  };
  return (
    <LessonFrame lesson="layers">
      <LivePanel
        store={store}
        first={FIRST_TEXTS.layers}
        isComplete={(asked) => canCompare(asked.texts)}
        missing={insideWords().similarity.needed}
        fields={
          <div className={live.fields}>
            {texts.map((text, index) => (
              <TextField
                // oxlint-disable-next-line react/no-array-index-key -- a text is its place in the list
                key={index}
                label={insideWords().similarity.label(numberText(index + 1))}
                value={text}
                testId="live-text"
                onChange={(value) => edit({ texts: texts.with(index, value) })}
              />
            ))}
          </div>
        }
      >
        {(found) => (
          <>
            <Lines found={found} />
            <Notice sentences={similarityNotice(found, 'mean')} />
            <div>
              <Button data-testid="open-on-inside" onClick={open}>
                {learnWords().layers.open}
              </Button>
            </div>
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}

function Lines({ found }: { readonly found: SimilarityFound }) {
  const [active, setActive] = useState<number | null>(null);
  const words = insideWords().similarity;
  return (
    <>
      <FallbackBoundary fallback={<p className={live.note}>{words.chartFailed}</p>}>
        <Suspense fallback={<div aria-busy />}>
          <SimilarityLines found={found} pooling="mean" active={active} label={words.chart} axis={words.axis} />
        </Suspense>
      </FallbackBoundary>
      <PairTable found={found} pooling="mean" onActive={setActive} />
    </>
  );
}
