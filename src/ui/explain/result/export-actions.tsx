import { csvOf, jsonOf } from '../../../state/explain/export.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { hashOf } from '../../../state/explain/share-link.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { download, textFile } from '../../parts/download.ts';
import { useEngine } from '../../use-stores.ts';
import styles from './result-panel.module.css';

/** A picture of more base64 characters than this makes a link that mail programs and chats cut off. */
const LINKED_PICTURE = 24_000;

/** Takes the result along: as files, or as a link that holds the question. */
export function ExportActions({ outcome }: { readonly outcome: Outcome }) {
  const model = useEngine((state) => state.model);
  const link = () => new URL(hashOf(outcome.question), location.href).href;
  return (
    <div className={styles.actions}>
      {(outcome.question.picture?.data.length ?? 0) <= LINKED_PICTURE ? (
        <CopyButton label="Copy link" text={link} />
      ) : (
        <span className={styles.note}>The picture is too large for a link.</span>
      )}
      <CopyButton label="Copy CSV" text={() => csvOf(outcome)} />
      <Button look="quiet" onClick={() => download('explanation.csv', textFile('text/csv', csvOf(outcome)))}>
        Save CSV
      </Button>
      <Button
        look="quiet"
        onClick={() => download('explanation.json', textFile('application/json', jsonOf(outcome, model)))}
      >
        Save JSON
      </Button>
    </div>
  );
}
