import { privacyWords } from '../pages/privacy/words.en.ts';
import { Button } from '../parts/buttons.tsx';
import { useStores, useStoreValue } from '../stores/use-stores.ts';
import styles from './update-notice.module.css';

/** All files of a newer version are here. The page changes when its reader wants it to. */
export function UpdateNotice() {
  const words = privacyWords().newer;
  const { offline } = useStores();
  const actions = useStoreValue('offline', (state) => state.actions);
  const reload = async () => {
    await actions?.update();
    location.reload();
  };
  return (
    <aside className={styles.notice} aria-label={words.label} data-testid="newer">
      <p role="status">{words.text}</p>
      <div className={styles.actions}>
        <Button onClick={() => void reload()}>{words.reload}</Button>
        <Button look="quiet" onClick={() => offline.setState({ isNoticed: true })}>
          {words.later}
        </Button>
      </div>
    </aside>
  );
}
