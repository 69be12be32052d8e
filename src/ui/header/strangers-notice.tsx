import { Button } from '../parts/buttons.tsx';
import { focusOn } from '../parts/focus.ts';
import { useStoreValue } from '../use-stores.ts';
import { CURRENT_PAGE } from './navigation.tsx';
import styles from './strangers-notice.module.css';

/** Says that something else runs or keeps data at the page's own address; nothing where that is not so. */
export function StrangersNotice() {
  const strangers = useStoreValue('transports', (state) => state.strangers);
  const setStrangers = useStoreValue('transports', (state) => state.setStrangers);
  if (strangers.length === 0) return null;
  return (
    <aside className={styles.notice} aria-label="Other software at this address" data-testid="strangers">
      <details>
        <summary>Other software uses this address and could read what you type here.</summary>
        <p>
          Browsers do not separate pages with the same host name and port. To keep your text private, open Lightwell at
          a host name or port that nothing else uses. This was found:
        </p>
        <ul>
          {strangers.map(({ kind, name }) => (
            <li key={`${kind} ${name}`}>
              {kind} <code>{name}</code>
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
        Hide
      </Button>
    </aside>
  );
}
