import { TEXT_SETS } from '../../state/inside/examples.ts';
import { insideLivesOf } from '../../state/inside/lives.ts';
import { canCompare } from '../../state/inside/similarity.ts';
import { insideWords } from '../../words/en/inside.ts';
import { LivePanel } from '../learn/live/live-panel.tsx';
import { Terms } from '../parts/terms.tsx';
import { useStores } from '../use-stores.ts';
import { SimilarityResult } from './similarity-result.tsx';
import { TextList } from './text-list.tsx';
import styles from './inside-page.module.css';

const [{ texts: FIRST }] = TEXT_SETS;

/** Two to eight texts, and how alike they are at each layer. */
export function SimilaritySection() {
  const store = insideLivesOf(useStores().inside.getState().source).similarity;
  const words = insideWords().similarity;
  return (
    <section className={styles.section} aria-label={words.title}>
      <h2 className={styles.title}>{words.title}</h2>
      <p className={styles.text}>
        <Terms text={words.text} />
      </p>
      <LivePanel
        name="similarity"
        store={store}
        first={{ texts: FIRST }}
        isComplete={({ texts }) => canCompare(texts)}
        missing={words.needed}
        fields={<TextList store={store} />}
      >
        {(found) => <SimilarityResult found={found} />}
      </LivePanel>
    </section>
  );
}
