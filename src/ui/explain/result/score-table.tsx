import { useState } from 'react';
import type { Section, View } from '../../../state/explain/influence.ts';
import type { Settings } from '../../../state/explain/question.ts';
import { partedIn } from '../../../state/explain/scores/weak.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStoreValue } from '../../use-stores.ts';
import { placeText, tileName, visibleText, weakText } from '../texts.ts';
import styles from './score-table.module.css';
import { type TableNumbers, tableNumbers } from './table-numbers.ts';

/** What a table lists. */
export interface ScoreTableProps {
  readonly label: string;
  readonly sections: readonly Section[];
  readonly view: View;
  /** How numbers are processed and scaled; left out: as the Explain page says. */
  readonly settings?: Pick<Settings, 'postprocessing' | 'normalize'>;
}

/** The numbers behind a chart, folded away until they are asked for. */
export function ScoreTable({ label, sections, view, settings }: ScoreTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  const current = useStoreValue('explain', (state) => state.question.settings);
  const words = resultWords().table;
  const numbers = tableNumbers(isOpen ? sections : [], view, settings ?? current);
  return (
    <details className={styles.fold} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{words.section}</th>
                <th scope="col">{words.place}</th>
                <th scope="col">{numbers.head}</th>
              </tr>
            </thead>
            <ScoreRows sections={sections} view={view} texts={numbers.texts} />
          </table>
        </div>
      )}
    </details>
  );
}

interface ScoreRowsProps extends Pick<ScoreTableProps, 'sections' | 'view'> {
  /** Numbers by the section's id. */
  readonly texts: TableNumbers['texts'];
}

/** The rows; those next to zero are one line until they are asked for. */
function ScoreRows({ sections, view, texts }: ScoreRowsProps) {
  const { strong, weak } = partedIn(sections, view);
  const [isOpen, setIsOpen] = useState(false);
  const row = (section: Section) => (
    <tr key={section.id}>
      <th scope="row">
        <bdi>{section.part === 'picture' ? tileName(section) : visibleText(section.text)}</bdi>
      </th>
      <td>{placeText(section)}</td>
      <td>{texts.get(section.id)}</td>
    </tr>
  );
  return (
    <tbody>
      {strong.map(row)}
      {weak.length > 0 && (
        <tr>
          <td colSpan={3} className={styles.more}>
            <Button look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {weakText(weak.length)}
            </Button>
          </td>
        </tr>
      )}
      {isOpen && weak.map(row)}
    </tbody>
  );
}
