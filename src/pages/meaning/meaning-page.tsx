import { type ComponentType, lazy } from 'react';
import { EXAMPLE_TABLE } from './example-comments.ts';
import { MEANING_VIEWS, useCollected, useMeaning, useMeaningStores } from './meaning-stores.ts';
import { TextsPanel } from './texts-panel.tsx';
import { meaningWords } from './words.en.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/status.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import fieldStyles from '../../parts/fields/field-layout.module.css';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { useEngineInUse } from '../../stores/use-stores.ts';
import styles from './meaning-page.module.css';

/** Searches, draws, sorts and compares many short texts by their meaning. */
export function MeaningPage() {
  const words = meaningWords();
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <div className={`${styles.columns} ${fieldStyles.answer}`}>
        <TextsPanel />
        <ViewsPanel />
      </div>
    </PageLayout>
  );
}

/** Each view loads when it is opened. */
const CONTENTS: Readonly<Record<(typeof MEANING_VIEWS)[number], ComponentType>> = {
  map: lazy(async () => ({ default: (await import('./map/map-view.tsx')).MapView })),
  matrix: lazy(async () => ({ default: (await import('./lists/matrix-view.tsx')).MatrixView })),
  sort: lazy(async () => ({ default: (await import('./lists/sort-view.tsx')).SortView })),
  duplicates: lazy(async () => ({ default: (await import('./lists/duplicates-view.tsx')).DuplicatesView })),
};

/** The views, or an introduction before the first texts. */
function ViewsPanel() {
  const words = meaningWords();
  const { view, show } = useMeaning('selection', (state) => state);
  const collected = useCollected();
  if (!collected) return <EmptyState />;
  const Content = CONTENTS[view];
  return (
    <section className={styles.card} aria-label={words.views.label}>
      <div className={styles.views}>
        <Choice
          label={words.views.label}
          options={MEANING_VIEWS.map((value) => ({ value, label: words.views[value] }))}
          value={view}
          onChoose={show}
        />
        <FallbackBoundary key={view} fallback={<p role="alert">{words.viewFailed}</p>} pending={<div aria-busy />}>
          <Content />
        </FallbackBoundary>
      </div>
    </section>
  );
}

function EmptyState() {
  const words = meaningWords().empty;
  const engine = useEngineInUse();
  const { collection } = useMeaningStores();
  return (
    <section className={styles.card} aria-label={words.title}>
      <h2 className={styles.lead}>{words.title}</h2>
      <p className={styles.note}>{engine ? words.sent(engine.host) : words.lead}</p>
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
