import { useState } from 'react';
import { marginIn, scoreIn, type ScoreView, type Section, splitByStrength } from '../explanations/influence.ts';
import type { Settings } from '../explanations/question.ts';
import { resultWords } from './words.en.ts';
import { Button } from '../parts/buttons.tsx';
import { useStoreValue } from '../stores/use-stores.ts';
import { scoreText, natsText, placeText, tileName, weakText } from './texts.ts';
import { fixedText, visibleText } from '../words/language.ts';
import styles from './score-table.module.css';

/** How numbers are processed and scaled. */
type TableSettings = Pick<Settings, 'postprocessing' | 'normalize'>;

/** The numbers of a chart, collapsed at first. `settings` default to those of the Explain page. */
export function ScoreTable(props: {
  readonly label: string;
  readonly sections: readonly Section[];
  readonly view: ScoreView;
  readonly settings?: TableSettings;
}) {
  const { label, sections, view, settings } = props;
  const [isOpen, setIsOpen] = useState(false);
  const current = useStoreValue('explain', (state) => state.question.settings);
  const words = resultWords().table;
  const numbers = tableNumbers(isOpen ? sections : [], view, settings ?? current);
  return (
    <details className={styles.fold} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        // What scrolls must be reachable by keyboard.
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

/** The rows; those next to zero are one line at first. `texts`: numbers by the section's id. */
function ScoreRows(props: {
  readonly sections: readonly Section[];
  readonly view: ScoreView;
  readonly texts: ReadonlyMap<string, string>;
}) {
  const { sections, view, texts } = props;
  const { strong, weak } = splitByStrength(sections, view);
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

/**
 * Scores as a table lists them: each processed, then all scaled, as the contract does. Estimates are marked, plain ones with
 * their margins.
 *
 * @returns `head` of their column, such as `Score, nats`; `texts` by the section's id
 * @edge    scaled scores that are all equal become 0
 * @source  interface.md, `postprocessing` and `normalize`
 */
export function tableNumbers(
  sections: readonly Section[],
  view: ScoreView,
  { postprocessing, normalize }: TableSettings,
): { readonly head: string; readonly texts: ReadonlyMap<string, string> } {
  const words = resultWords().table;
  const scores = sections.map((section) => PROCESSES[postprocessing](scoreIn(section, view) ?? 0));
  const shown = normalize ? scaled(scores).map((score) => fixedText(score, 3)) : scores.map(natsText);
  const isPlain = !normalize && postprocessing === 'none';
  const texts = sections.map((section, at) => {
    const margin = marginIn(section, view);
    const number = shown[at] ?? '';
    const marked = isPlain ? scoreText(scoreIn(section, view) ?? 0, margin) : `≈ ${number}`;
    return [section.id, margin === null ? number : marked] as const;
  });
  return { head: (normalize ? words.scaled : words.scores)[postprocessing], texts: new Map(texts) };
}

const PROCESSES: Readonly<Record<Settings['postprocessing'], (score: number) => number>> = {
  none: (score) => score,
  absolute: Math.abs,
  square: (score) => score ** 2,
};

function scaled(scores: readonly number[]): number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), Infinity);
  const range = scores.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  return scores.map((score) => (range > 0 ? (score - least) / range : 0));
}
