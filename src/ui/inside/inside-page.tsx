import { insideWords } from '../../words/en/inside.ts';
import { Page } from '../parts/layout/page.tsx';
import { LensSection } from './lens-section.tsx';
import { SimilaritySection } from './similarity-section.tsx';
import styles from './inside-page.module.css';

/** What the layers of the model hold: how alike texts are there, and what each layer would predict. */
export function InsidePage() {
  const words = insideWords();
  return (
    <Page title={words.title} claim={words.claim}>
      <div className={styles.sections}>
        <SimilaritySection />
        <LensSection />
      </div>
    </Page>
  );
}
