import { Dialog } from '../../parts/layout/blocks.tsx';
import type { Page } from '../../stores/page-store.ts';
import { useStoreValue } from '../../stores/use-stores.ts';
import styles from './key-dialog.module.css';
import { appWords } from '../words.en.ts';
import { keysWords } from './words.en.ts';

type Words = ReturnType<typeof keysWords>;

/** Keys and what they do, both by the names of their texts. */
interface KeyRow {
  /** Ways to do it, each the keys that are pressed together. */
  readonly ways: readonly (readonly (keyof Words['names'])[])[];
  readonly does: Exclude<keyof Words, 'title' | 'close' | 'everywhere' | 'onPage' | 'or' | 'names'>;
}

/** The keys of every page, and further keys of each page. A new page adds its own here. */
export const KEY_ROWS: Readonly<Partial<Record<Page, readonly KeyRow[]>>> & { readonly everywhere: readonly KeyRow[] } =
  {
    everywhere: [
      { ways: [['question']], does: 'map' },
      { ways: [['tab']], does: 'next' },
      { ways: [['enter']], does: 'choose' },
      { ways: [['escape']], does: 'leave' },
    ],
    explain: [
      { ways: [['mod', 'enter']], does: 'run' },
      { ways: [['arrows']], does: 'walk' },
      { ways: [['home'], ['end']], does: 'ends' },
      { ways: [['enter']], does: 'pick' },
      { ways: [['escape']], does: 'release' },
    ],
    documents: [
      { ways: [['enter']], does: 'ask' },
      { ways: [['arrows']], does: 'walkAnswers' },
      { ways: [['enter']], does: 'showAnswer' },
    ],
    inside: [
      { ways: [['mod', 'enter']], does: 'runExample' },
      { ways: [['tab']], does: 'showPair' },
      { ways: [['arrows']], does: 'slide' },
    ],
    learn: [
      { ways: [['mod', 'enter']], does: 'runExample' },
      { ways: [['arrows']], does: 'walkWords' },
      { ways: [['tab']], does: 'showPair' },
      { ways: [['escape']], does: 'release' },
    ],
    privacy: [{ ways: [['arrows']], does: 'scroll' }],
    meaning: [
      { ways: [['arrows']], does: 'walkMap' },
      { ways: [['plus'], ['minus']], does: 'zoom' },
      { ways: [['zero']], does: 'wholeMap' },
      { ways: [['enter']], does: 'pickText' },
      { ways: [['escape']], does: 'forget' },
      { ways: [['arrows']], does: 'walkMatrix' },
    ],
    api: [{ ways: [['mod', 'enter']], does: 'send' }],
    settings: [
      { ways: [['enter']], does: 'save' },
      { ways: [['escape']], does: 'discard' },
    ],
  };

/** The keys of the page that is open, and those of every page. */
export function KeyDialog({ onClose }: { readonly onClose: () => void }) {
  const words = keysWords();
  const page = useStoreValue('page', (state) => state.page);
  return (
    <Dialog title={words.title} closeText={words.close} testId="keys" onClose={onClose}>
      <Keys title={words.onPage(appWords().pages[page])} rows={KEY_ROWS[page] ?? []} />
      <Keys title={words.everywhere} rows={KEY_ROWS.everywhere} />
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

function nameOf(key: keyof Words['names']): string {
  return key === 'mod' && /Mac|iP/.test(navigator.platform) ? '⌘' : keysWords().names[key];
}
