import { type ComponentType, Suspense, useState } from 'react';
import { EXAMPLE_TABLE } from '../../state/meaning/example-comments.ts';
import { meaningWords } from '../../words/en/meaning.ts';
import { Button } from '../parts/buttons.tsx';
import { FallbackBoundary } from '../parts/feedback/fallback-boundary.tsx';
import { Choice } from '../parts/fields/choice.tsx';
import { SearchView } from './search/search-view.tsx';
import { useCollected, useRoom } from './use-room.ts';
import styles from './meaning-page.module.css';

const VIEWS = ['search'] as const;
type View = (typeof VIEWS)[number];

/** The first view comes with the page; the others load when they are opened. */
const CONTENTS: Readonly<Record<View, ComponentType>> = {
  search: SearchView,
};

/** What can be done with the texts. */
export function ViewsPanel() {
  const words = meaningWords();
  const [view, setView] = useState<View>('search');
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
          onChoose={setView}
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
  const { collection } = useRoom();
  return (
    <section className={styles.card} aria-label={words.title}>
      <h2 className={styles.lead}>{words.title}</h2>
      <p className={styles.note}>{words.lead}</p>
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
