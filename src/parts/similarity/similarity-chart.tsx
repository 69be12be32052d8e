import { lazy, Suspense, useState } from 'react';
import type { Pooling } from '../../contract/embed.ts';
import { FallbackBoundary } from '../feedback/status.tsx';
import live from '../live/live.module.css';
import { PairTable } from './pair-table.tsx';
import type { SimilarityFound } from './similarity.ts';
import { similarityWords } from './words.en.ts';

const SimilarityLines = lazy(async () => ({ default: (await import('./similarity-lines.tsx')).SimilarityLines }));

/** A chart of the similarity of each pair by layer, and a table of its numbers that highlights the lines. */
export function SimilarityChart({ found, pooling }: { readonly found: SimilarityFound; readonly pooling: Pooling }) {
  const [active, setActive] = useState<number | null>(null);
  const words = similarityWords();
  return (
    <>
      <FallbackBoundary fallback={<p className={live.note}>{words.chartFailed}</p>}>
        <Suspense fallback={<div aria-busy />}>
          <SimilarityLines found={found} pooling={pooling} active={active} label={words.chart} axis={words.axis} />
        </Suspense>
      </FallbackBoundary>
      <PairTable found={found} pooling={pooling} onActive={setActive} />
    </>
  );
}
