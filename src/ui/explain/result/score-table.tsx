import { useState } from 'react';
import { scoreIn, type Section, tileName, type View } from '../../../state/explain/influence.ts';
import { natsText, placeText, visibleText } from '../texts.ts';
import styles from './score-table.module.css';

/** What a table lists. */
export interface ScoreTableProps {
  readonly label: string;
  readonly sections: readonly Section[];
  readonly view: View;
}

/** The numbers behind a chart, folded away until they are asked for. */
export function ScoreTable({ label, sections, view }: ScoreTableProps) {
  const [isOpen, setIsOpen] = useState(false);
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
                <th scope="col">Score, nats</th>
              </tr>
            </thead>
            <tbody>
              {sections.map((section) => (
                <tr key={section.id}>
                  <th scope="row">{section.part === 'picture' ? tileName(section) : visibleText(section.text)}</th>
                  <td>{placeText(section)}</td>
                  <td>{natsText(scoreIn(section, view) ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
