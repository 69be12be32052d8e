import { scoreIn, type Section, type View } from '../../../state/explain/influence.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { fixedText, numberText } from '../../../words/numbers.ts';
import { natsText, sectionName, weakText } from '../texts.ts';
import table from './score-table.module.css';
import styles from './result-panel.module.css';

/** Sections that have no bar. */
export interface MoreSectionsProps {
  /** Too many for bars, the strongest first. */
  readonly others: readonly Section[];
  /** Next to zero. */
  readonly weak: readonly Section[];
  readonly view: View;
}

/** What the bars leave out, as lines that open. */
export function MoreSections({ others, weak, view }: MoreSectionsProps) {
  const score = (section: Section) => scoreIn(section, view) ?? 0;
  const [strongest] = others;
  return (
    <div className={styles.more}>
      {strongest && (
        <details className={table.fold}>
          <summary>
            {resultWords().bars.more(numberText(others.length), fixedText(Math.abs(score(strongest)), 2))}
          </summary>
          <p>{others.map((each) => `${sectionName(each, 20)} ${natsText(score(each))}`).join(' · ')}</p>
        </details>
      )}
      {weak.length > 0 && (
        <details className={table.fold}>
          <summary>{weakText(weak.length)}</summary>
          <p>{weak.map((each) => sectionName(each, 20)).join(' · ')}</p>
        </details>
      )}
    </div>
  );
}
