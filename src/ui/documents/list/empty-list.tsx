import { ACCEPTED_FILES } from '../../../files/document.ts';
import { engineWords } from '../../../words/en/models/engine.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { Button, FileButton } from '../../parts/buttons.tsx';
import { useEngineInUse, useStores } from '../../use-stores.ts';
import styles from './empty-list.module.css';

/** A page without documents: where they come from, and an example. Files may be dropped anywhere on the page. */
export function EmptyList() {
  const words = documentsWords();
  const engine = useEngineInUse();
  const { documents } = useStores();
  return (
    <section className={styles.empty} aria-label={words.list.label} data-testid="documents-empty">
      <p className={styles.title}>{words.empty.title}</p>
      <p>{words.empty.kinds}</p>
      <div className={styles.actions}>
        <FileButton
          look="primary"
          accept={ACCEPTED_FILES}
          isMultiple
          onFiles={(files) => void documents.getState().add(files)}
        >
          {words.list.choose}
        </FileButton>
        <Button onClick={() => void documents.getState().takeExample()}>{words.empty.example}</Button>
      </div>
      <p className={styles.note}>{engine ? engineWords().inUse.documents(engine.host) : words.privacy}</p>
      <p className={styles.note}>{words.english}</p>
    </section>
  );
}
