import { ACCEPTED_FILES } from '../../../files/document.ts';
import { engineWords } from '../../../words/en/models/engine.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { Button, FileButton } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useEngineInUse, useStores, useStoreValue } from '../../use-stores.ts';
import { ADD_FILES } from '../ids.ts';
import { DocumentRow } from './document-row.tsx';
import styles from './document-list.module.css';

/** The documents, what became of each file, and how to add and remove them. */
export function DocumentList() {
  const words = documentsWords();
  const engine = useEngineInUse();
  const { documents } = useStores();
  const list = useStoreValue('documents', (state) => state.list);
  return (
    <section className={styles.panel} aria-labelledby="documents-title">
      <div className={styles.head}>
        <h2 id="documents-title" className={styles.title}>
          {words.list.label}
        </h2>
        <FileButton
          look="plain"
          id={ADD_FILES}
          accept={ACCEPTED_FILES}
          isMultiple
          onFiles={(files) => void documents.getState().add(files)}
        >
          {words.list.add}
        </FileButton>
      </div>
      {list.length > 0 && (
        <ul className={styles.list}>
          {list.map((entry) => (
            <DocumentRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <Removed />
      <p className={styles.note}>{engine ? engineWords().inUse.documents(engine.host) : words.privacy}</p>
    </section>
  );
}

/** What was removed last, and how to get it back. */
function Removed() {
  const words = documentsWords().list;
  const { documents } = useStores();
  const removed = useStoreValue('documents', (state) => state.removed.at(-1));
  const undo = () => {
    focusOn(ADD_FILES); // the button goes when it has brought back the last one
    documents.getState().undo();
  };
  return (
    <div className={styles.removed} role="status">
      {removed && (
        <>
          <span>{words.removed(removed.entry.file.name)}</span>
          <Button look="quiet" onClick={undo}>
            {words.undo}
          </Button>
        </>
      )}
    </div>
  );
}
