import { type ComponentType, lazy, Suspense } from 'react';
import { type View, VIEWS } from '../../state/meaning/desk-store.ts';
import { EXAMPLE_TABLE } from '../../state/meaning/example-comments.ts';
import { meaningWords } from '../../words/en/meaning/page.ts';
import { engineWords } from '../../words/en/models/engine.ts';
import { Button } from '../parts/buttons.tsx';
import { FallbackBoundary } from '../parts/feedback/fallback-boundary.tsx';
import { Choice } from '../parts/fields/choice.tsx';
import { useEngineInUse, useValueOf } from '../use-stores.ts';
import { SearchView } from './search/search-view.tsx';
import { useCollected, useRoom } from './use-room.ts';
import styles from './meaning-page.module.css';

/** The first view comes with the page; the others load when they are opened. */
const CONTENTS: Readonly<Record<View, ComponentType>> = {
  search: SearchView,
  map: lazy(async () => ({ default: (await import('./map/map-view.tsx')).MapView })),
  matrix: lazy(async () => ({ default: (await import('./matrix/matrix-view.tsx')).MatrixView })),
  sort: lazy(async () => ({ default: (await import('./sort/sort-view.tsx')).SortView })),
  duplicates: lazy(async () => ({ default: (await import('./duplicates/duplicates-view.tsx')).DuplicatesView })),
};

/** What can be done with the texts. */
export function ViewsPanel() {
  const words = meaningWords();
  const { view, show } = useValueOf(useRoom().desk, (state) => state);
  const collected = useCollected();
  if (!collected) return <EmptyState />;
  const Content = CONTENTS[view];
  return (
    <section className={styles.card} aria-label={words.views.label}>
      <div className={styles.views}>
        <Choice<View>
          label={words.views.label}
          options={VIEWS.map((value) => ({ value, label: words.views[value] }))}
          value={view}
          onChoose={show}
        />
        <FallbackBoundary key={view} fallback={<p role="alert">{words.viewFailed}</p>}>
          <Suspense fallback={<div aria-busy />}>
            <Content />
          </Suspense>
        </FallbackBoundary>
      </div>
    </section>
  );
}

/** Before the first texts: what to do, and an example in one click. */
function EmptyState() {
  const words = meaningWords().empty;
  const engine = useEngineInUse();
  const { collection } = useRoom();
  return (
    <section className={styles.card} aria-label={words.title}>
      <h2 className={styles.lead}>{words.title}</h2>
      <p className={styles.note}>{engine ? engineWords().inUse.meaning(engine.host) : words.lead}</p>
      <ol className={styles.steps}>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Button look="primary" onClick={() => void collection.getState().collect(EXAMPLE_TABLE)}>
        {words.example}
      </Button>
    </section>
  );
}
