import type { ReadDocument } from '../../../files/document.ts';
import type { Listed } from '../../../state/documents/listed.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { filesWords } from '../../../words/en/files.ts';
import { countText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { ADD_FILES } from '../ids.ts';
import styles from './document-list.module.css';

/** A file: its name, which shows it, how far it is read or why it cannot be, and a button that removes it. */
export function DocumentRow({ entry: { id, file, reading } }: { readonly entry: Listed }) {
  const words = documentsWords().list;
  const { documents } = useStores();
  const isShown = useStoreValue('documents', ({ shown }) => shown === id);
  const { name } = file;
  const remove = () => {
    focusOn(ADD_FILES); // this row goes
    documents.getState().remove(id);
  };
  return (
    <li className={styles.row} {...(isShown && { 'data-active': true })} data-testid="document-row">
      <div className={styles.what}>
        {reading.kind === 'ready' ? (
          <button
            type="button"
            className={styles.name}
            aria-pressed={isShown}
            data-content
            onClick={() => documents.getState().show(id)}
          >
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi className={styles.name}>{name}</bdi>
        )}
        {reading.kind === 'ready' && <span className={styles.size}>{sizeText(reading.document)}</span>}
        {reading.kind === 'reading' && <ProgressBar label={words.waiting(name)} share={reading.share} />}
        {reading.kind === 'unreadable' && (
          <span className={styles.problem} role="alert">
            {filesWords().problems[reading.problem](name)}
          </span>
        )}
      </div>
      <Button look="quiet" aria-label={words.remove(name)} onClick={remove}>
        ✕
      </Button>
    </li>
  );
}

/** Pages of a PDF, words of any other text. */
function sizeText({ layout, text }: ReadDocument): string {
  const words = documentsWords().list;
  if (layout.type === 'pages') return countText(layout.pages.length, words.pages);
  return countText(text.match(/\S+/g)?.length ?? 0, words.words);
}
