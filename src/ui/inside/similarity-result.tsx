import { lazy, Suspense, useState } from 'react';
import { POOLINGS, type SimilarityFound } from '../../state/inside/similarity.ts';
import { insideWords } from '../../words/en/inside.ts';
import { FallbackBoundary } from '../parts/feedback/fallback-boundary.tsx';
import { Choice } from '../parts/fields/choice.tsx';
import { Notice } from '../learn/live/notice.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import { SaveChart } from './export/save-chart.tsx';
import { LayerMatrix } from './layer-matrix.tsx';
import { PairTable } from './pair-table.tsx';
import { similarityNotice } from './similarity-texts.ts';
import { TokenCompare } from './token-compare.tsx';
import styles from './inside-page.module.css';

const SimilarityLines = lazy(async () => ({
  default: (await import('../charts/similarity-lines.tsx')).SimilarityLines,
}));

/** How alike the texts are: as lines over the layers, at one layer, and token by token. */
export function SimilarityResult({ found }: { readonly found: SimilarityFound }) {
  const { inside } = useStores();
  const pooling = useStoreValue('inside', (state) => state.pooling);
  const chosen = useStoreValue('inside', (state) => state.layer);
  const layer = Math.min(chosen ?? found.lastLayer, found.lastLayer);
  const [active, setActive] = useState<number | null>(null);
  const words = insideWords().similarity;
  const options = POOLINGS.map((value) => ({ value, label: words.poolings[value] }));
  return (
    <>
      <Choice
        label={words.pooling}
        options={options}
        value={pooling}
        onChoose={(value) => inside.getState().choosePooling(value)}
      />
      <FallbackBoundary fallback={<p className={styles.note}>{words.chartFailed}</p>}>
        <Suspense fallback={<div className={styles.note} aria-busy />}>
          <SimilarityLines found={found} pooling={pooling} active={active} label={words.chart} axis={words.axis} />
        </Suspense>
      </FallbackBoundary>
      <PairTable found={found} pooling={pooling} onActive={setActive} />
      <Notice sentences={similarityNotice(found, pooling)} />
      <SaveChart found={found} pooling={pooling} />
      <LayerMatrix
        found={found}
        pooling={pooling}
        layer={layer}
        onLayer={(value) => inside.getState().chooseLayer(value)}
      />
      <TokenCompare texts={found.texts} layer={layer} />
    </>
  );
}
