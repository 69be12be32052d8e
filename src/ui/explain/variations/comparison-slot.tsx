import { lazy, Suspense } from 'react';
import { promptWords } from '../../../words/en/explain/prompt.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';

/** Id of the button that opens a comparison; it takes the focus when that is closed. */
export const COMPARE_BUTTON = 'compare-with';

const load = () => import('./compare/comparison-section.tsx');
const ComparisonSection = lazy(async () => ({ default: (await load()).ComparisonSection }));

/** Fetches the comparison before it is opened; what fails is fetched again then. */
export function preloadComparison(): void {
  load().catch(() => undefined);
}

/** The place of a comparison, below question and result: it needs the width of both. */
export function ComparisonSlot() {
  const { variations } = useStores();
  const first = useStoreValue('variations', (state) => state.first);
  const comparisons = useStoreValue('variations', (state) => state.comparisons);
  if (!first) return null;
  const close = () => {
    variations.getState().compare(null);
    document.getElementById(COMPARE_BUTTON)?.focus();
  };
  return (
    <FallbackBoundary fallback={<p role="alert">{promptWords().comparisonFailed}</p>}>
      <Suspense fallback={null}>
        <ComparisonSection key={comparisons} first={first} onClose={close} />
      </Suspense>
    </FallbackBoundary>
  );
}
