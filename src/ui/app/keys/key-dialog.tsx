import { EVERYWHERE, type KeyName, type KeyRow, keysOf } from '../../../state/page/key-map.ts';
import { appWords } from '../../../words/en/app.ts';
import { keysWords } from '../../../words/en/keys.ts';
import { Dialog } from '../../parts/layout/dialog.tsx';
import { useStoreValue } from '../../use-stores.ts';
import styles from './key-dialog.module.css';

/** What the keys do on the page that is open. */
export function KeyDialog({ onClose }: { readonly onClose: () => void }) {
  const words = keysWords();
  const page = useStoreValue('page', (state) => state.page);
  return (
    <Dialog title={words.title} closeText={words.close} testId="keys" onClose={onClose}>
      <Keys title={words.onPage(appWords().pages[page])} rows={keysOf(page)} />
      <Keys title={words.everywhere} rows={EVERYWHERE} />
    </Dialog>
  );
}

function Keys({ title, rows }: { readonly title: string; readonly rows: readonly KeyRow[] }) {
  const words = keysWords();
  if (rows.length === 0) return null;
  return (
    <table className={styles.keys}>
      <caption>{title}</caption>
      <tbody>
        {rows.map(({ ways, does }) => (
          <tr key={does}>
            <th scope="row">
              {ways.map((way, index) => (
                <span key={way.join(' ')}>
                  {index > 0 && ` ${words.or} `}
                  {way.map((key) => (
                    <kbd key={key}>{nameOf(key)}</kbd>
                  ))}
                </span>
              ))}
            </th>
            <td>{words[does]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** As the reader's keyboard names it. */
function nameOf(key: KeyName): string {
  return key === 'mod' && /Mac|iP/.test(navigator.platform) ? '⌘' : keysWords().names[key];
}
