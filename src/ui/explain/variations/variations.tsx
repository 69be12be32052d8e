import { lazy, Suspense, useEffect } from 'react';
import { sectionOf } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import panel from '../result/result-panel.module.css';
import { sectionPhrase } from '../texts.ts';
import { COMPARE_BUTTON, preloadComparison } from './comparison-slot.tsx';
import styles from './variations.module.css';

const load = () => import('./what-if/what-if-panel.tsx');
const WhatIfPanel = lazy(async () => ({ default: (await load()).WhatIfPanel }));

/** Leads from a complete result to its variations: changed attention below it, or another question beside it. */
export function Variations({ outcome }: { readonly outcome: Outcome }) {
  const { variations } = useStores();
  const isTrying = useStoreValue('variations', (state) => state.isTrying);
  const isComplete = outcome.modelVersion !== null && outcome.prediction !== null;
  const words = resultWords().variations;
  useEffect(preload, []);
  if (!isComplete) return null;
  return (
    <div>
      <div className={styles.actions}>
        <Button data-testid="what-if" aria-expanded={isTrying} onClick={() => variations.getState().tryOut(!isTrying)}>
          <WhatIfLabel outcome={outcome} />
        </Button>
        <Button id={COMPARE_BUTTON} data-testid="compare" onClick={() => variations.getState().compare(outcome)}>
          {words.compare}
        </Button>
      </div>
      {isTrying && (
        <FallbackBoundary fallback={<p role="alert">{words.failed}</p>}>
          <Suspense fallback={<p className={panel.note}>{words.loading}</p>}>
            <WhatIfPanel outcome={outcome} />
          </Suspense>
        </FallbackBoundary>
      )}
    </div>
  );
}

/** Names the section that is picked. */
function WhatIfLabel({ outcome: { influence } }: { readonly outcome: Outcome }) {
  const section = sectionOf(
    influence,
    useStoreValue('selection', (state) => state.pinned),
  );
  const words = resultWords().variations;
  if (!section || section.part === 'target') return words.whatIf;
  return words.whatIfSection(sectionPhrase(section));
}

/** Fetches what both buttons open, so that they work offline; what fails is fetched again when it is opened. */
function preload(): void {
  load().catch(() => undefined);
  preloadComparison();
}
