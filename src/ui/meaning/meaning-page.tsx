import { meaningWords } from '../../words/en/meaning/page.ts';
import { Page } from '../parts/layout/page.tsx';
import { TextsPanel } from './texts/texts-panel.tsx';
import { ViewsPanel } from './views-panel.tsx';
import beside from '../parts/fields/beside.module.css';
import styles from './meaning-page.module.css';

/** Many short texts: searched, drawn, sorted and compared by what they mean. */
export function MeaningPage() {
  const words = meaningWords();
  return (
    <Page title={words.title} claim={words.claim}>
      <div className={`${styles.columns} ${beside.answer}`}>
        <TextsPanel />
        <ViewsPanel />
      </div>
    </Page>
  );
}
