import { appWords } from '../../../words/en/app.ts';
import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useStoreValue } from '../../use-stores.ts';
import { CURRENT_PAGE } from './navigation.tsx';
import styles from './strangers-notice.module.css';

/** Says that something else runs or keeps data at the page's own address; nothing where that is not so. */
export function StrangersNotice() {
  const strangers = useStoreValue('transports', (state) => state.strangers);
  const setStrangers = useStoreValue('transports', (state) => state.setStrangers);
  if (strangers.length === 0) return null;
  const words = appWords().strangers;
  return (
    <aside className={styles.notice} aria-label={words.label} data-testid="strangers">
      <details>
        <summary>{words.summary}</summary>
        <p>{words.advice}</p>
        <ul>
          {strangers.map(({ kind, name }) => (
            <li key={`${kind} ${name}`}>
              {words.kinds[kind]} <code>{name}</code>
            </li>
          ))}
        </ul>
      </details>
      <Button
        look="quiet"
        onClick={() => {
          focusOn(CURRENT_PAGE); // this notice goes
          setStrangers([]);
        }}
      >
        {words.hide}
      </Button>
    </aside>
  );
}
