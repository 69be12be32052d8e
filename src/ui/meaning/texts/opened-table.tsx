import { useId } from 'react';
import type { OpenedFiles, OpenedRows } from '../../../state/meaning/input-store.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useRoom } from '../use-room.ts';
import { OPEN_TEXTS } from './taken-files.ts';
import page from '../meaning-page.module.css';
import beside from '../../parts/fields/beside.module.css';
import styles from './texts-panel.module.css';

/** What was opened: its name, how much it holds, and which column of a table has the texts. */
export function OpenedTable({ opened }: { readonly opened: OpenedRows | OpenedFiles }) {
  const words = meaningWords().texts;
  const { input } = useRoom();
  const { texts } = input.getState().table();
  const name = opened.kind === 'rows' ? opened.name : nameOf(opened.files, words.files);
  return (
    <div className={styles.opened} data-testid="opened">
      <div className={styles.openedHead}>
        <strong>{words.holds(name, texts.length)}</strong>
        <Button
          look="quiet"
          onClick={() => {
            focusOn(OPEN_TEXTS); // this button goes
            input.getState().close();
          }}
        >
          {words.close}
        </Button>
      </div>
      {opened.kind === 'rows' && <ColumnChoice rows={opened} />}
      <ol className={styles.preview}>
        {texts.slice(0, 3).map((text, place) => (
          // Texts may repeat; their places do not.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} dir="auto">
            {text.slice(0, 200)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function nameOf(files: OpenedFiles['files'], several: (count: number) => string): string {
  return files.length === 1 ? (files[0]?.name ?? '') : several(files.length);
}

function ColumnChoice({ rows }: { readonly rows: OpenedRows }) {
  const words = meaningWords().texts;
  const id = useId();
  const { input } = useRoom();
  return (
    <div className={beside.row}>
      <label htmlFor={id}>{words.column}</label>
      <select
        id={id}
        className={page.select}
        value={rows.column}
        onChange={(event) => input.getState().chooseColumn(event.target.value)}
      >
        {rows.names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}
