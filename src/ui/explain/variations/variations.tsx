import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode, Suspense, useEffect } from 'react';
import { sectionOf } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import type { Panel } from '../../../state/variations/variations-store.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import results from '../result/result-panel.module.css';
import { sectionPhrase } from '../texts.ts';
import { COMPARE_BUTTON, preloadComparison } from './comparison-slot.tsx';
import styles from './variations.module.css';

const loadWhatIf = () => import('./what-if/what-if-panel.tsx');
const loadContrast = () => import('./contrast/contrast-panel.tsx');
const loadFaithfulness = () => import('./faithfulness/faithfulness-panel.tsx');

/** What can be opened below a result, each in a script of its own. */
const PANELS: Readonly<Record<Panel, LazyExoticComponent<ComponentType<{ readonly outcome: Outcome }>>>> = {
  'what-if': lazy(async () => ({ default: (await loadWhatIf()).WhatIfPanel })),
  contrast: lazy(async () => ({ default: (await loadContrast()).ContrastPanel })),
  faithfulness: lazy(async () => ({ default: (await loadFaithfulness()).FaithfulnessPanel })),
};

/** Leads from a complete result to its variations: changed attention or another target below it, another question beside it. */
export function Variations({ outcome }: { readonly outcome: Outcome }) {
  const { variations } = useStores();
  const open = useStoreValue('variations', (state) => state.panel);
  const isComplete = outcome.modelVersion !== null && outcome.prediction !== null;
  const words = resultWords().variations;
  useEffect(preload, []);
  if (!isComplete) return null;
  return (
    <div>
      <div className={styles.actions}>
        <PanelButton panel="what-if">
          <WhatIfLabel outcome={outcome} />
        </PanelButton>
        <PanelButton panel="contrast">{words.contrast}</PanelButton>
        <PanelButton panel="faithfulness">{words.faithfulness}</PanelButton>
        <Button id={COMPARE_BUTTON} data-testid="compare" onClick={() => variations.getState().compare(outcome)}>
          {words.compare}
        </Button>
      </div>
      {open && <OpenPanel key={open} panel={open} outcome={outcome} />}
    </div>
  );
}

/** Opens and closes a panel. */
function PanelButton({ panel, children }: { readonly panel: Panel; readonly children: ReactNode }) {
  const { variations } = useStores();
  const isOpen = useStoreValue('variations', (state) => state.panel === panel);
  return (
    <Button data-testid={panel} aria-expanded={isOpen} onClick={() => variations.getState().toggle(panel)}>
      {children}
    </Button>
  );
}

function OpenPanel({ panel, outcome }: { readonly panel: Panel; readonly outcome: Outcome }) {
  const words = resultWords().variations;
  const Opened = PANELS[panel];
  return (
    <FallbackBoundary fallback={<p role="alert">{words.failed}</p>}>
      <Suspense fallback={<p className={results.note}>{words.loading}</p>}>
        <Opened outcome={outcome} />
      </Suspense>
    </FallbackBoundary>
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

/** Fetches what the buttons open, so that they work offline; what fails is fetched again when it is opened. */
function preload(): void {
  for (const load of [loadWhatIf, loadContrast, loadFaithfulness]) load().catch(() => undefined);
  preloadComparison();
}
