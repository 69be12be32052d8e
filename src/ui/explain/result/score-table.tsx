import { useState } from 'react';
import { type Section, tileName, type View } from '../../../state/explain/influence.ts';
import { useStoreValue } from '../../use-stores.ts';
import { placeText, visibleText } from '../texts.ts';
import styles from './score-table.module.css';
import { tableNumbers } from './table-numbers.ts';

/** What a table lists. */
export interface ScoreTableProps {
  readonly label: string;
  readonly sections: readonly Section[];
  readonly view: View;
}

/** The numbers behind a chart, folded away until they are asked for. */
export function ScoreTable({ label, sections, view }: ScoreTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  const settings = useStoreValue('explain', (state) => state.question.settings);
  const numbers = tableNumbers(isOpen ? sections : [], view, settings);
  return (
    <details className={styles.fold} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Section</th>
                <th scope="col">Place</th>
                <th scope="col">{numbers.head}</th>
              </tr>
            </thead>
            <tbody>
              {sections.map((section) => (
                <tr key={section.id}>
                  <th scope="row">{section.part === 'picture' ? tileName(section) : visibleText(section.text)}</th>
                  <td>{placeText(section)}</td>
                  <td>{numbers.texts.get(section.id)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
