import { useMemo, useState } from 'react';
import { largestIn, NEUTRAL_NATS } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { type ComparedSection, type Comparison, differencesOf } from '../../../../state/variations/comparison.ts';
import { compareWords } from '../../../../words/en/explain/compare.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { numberText } from '../../../../words/numbers.ts';
import { useStoreValue } from '../../../use-stores.ts';
import { fullColour } from '../../result/heat/colour-scale.ts';
import { HeatMap } from '../../result/heat/heat-map.tsx';
import { PictureHeat } from '../../result/heat/picture-heat.tsx';
import heat from '../../result/heat/prompt-heat.module.css';
import table from '../../result/score-table.module.css';
import { natsText, sectionName, sectionPhrase } from '../../texts.ts';
import { differenceText, incomparableText, unlikeTexts } from './comparison-texts.ts';
import panel from '../../result/result-panel.module.css';
import styles from './comparison.module.css';
import type { SharedScale } from './side-result.tsx';

/** See `Difference`. */
export interface DifferenceProps {
  readonly a: Outcome;
  readonly b: Outcome;
  readonly comparison: Comparison;
  readonly largest: SharedScale;
}

/** The common scale, then A − B where sections match: in words, on the prompt of A, and as a table. */
export function Difference({ a, b, comparison, largest }: DifferenceProps) {
  const words = compareWords().difference;
  const problem = incomparableText(comparison);
  return (
    <>
      <Readout comparison={comparison} />
      {a.question.picture && <Scale full={fullColour(largest.picture)} note={words.pictureScale} />}
      {(a.question.prompt !== '' || b.question.prompt !== '') && (
        <Scale full={fullColour(largest.prompt)} note={words.promptScale} />
      )}
      <section className={`${panel.block} ${styles.difference}`} aria-label={words.label} data-testid="difference">
        <h3 className={panel.blockTitle}>{words.title}</h3>
        {problem ? (
          <p data-testid="incomparable">{problem}</p>
        ) : (
          <>
            <p className={styles.lead}>{differenceText(comparison)}</p>
            <p className={panel.note}>
              {words.about} {unlikeTexts(comparison, a, b).join(' ')}
            </p>
            <DifferenceMaps a={a} comparison={comparison} />
          </>
        )}
        <DifferenceTable comparison={comparison} />
      </section>
    </>
  );
}

/** The prompt of A, coloured by what A has more of or B. */
function DifferenceMaps({ a, comparison }: { readonly a: Outcome; readonly comparison: Comparison }) {
  const parts = useMemo(() => differencesOf(comparison), [comparison]);
  const { picture, prompt } = a.question;
  const words = compareWords().difference;
  const ends = { low: words.low, high: words.high, note: resultWords().heat.unit(numberText(NEUTRAL_NATS)) };
  return (
    <>
      {picture && (
        <>
          <PictureHeat name={words.picture} picture={picture} tiles={parts.picture} view={0} />
          <Scale full={fullColour(largestIn(parts.picture, 0))} {...ends} />
        </>
      )}
      {prompt !== '' && (
        <>
          <HeatMap name={words.prompt} text={prompt} sections={parts.prompt} view={0} />
          <Scale full={fullColour(largestIn(parts.prompt, 0))} {...ends} />
        </>
      )}
    </>
  );
}

/** See `Scale`. */
interface ScaleProps {
  /** Nats with the full colour. */
  readonly full: number;
  readonly low?: string;
  readonly high?: string;
  readonly note: string;
}

/** What the colours mean, and the numbers at their ends. */
function Scale(props: ScaleProps) {
  const words = resultWords().heat;
  const { low = words.opposes, high = words.supports, note } = props;
  const full = numberText(props.full);
  return (
    <div className={heat.legend}>
      <span className={heat.end}>{low}</span>
      <span className={heat.number}>−{full}</span>
      <span className={heat.scale} aria-hidden>
        <span className={heat.zero} />
      </span>
      <span className={heat.number}>+{full}</span>
      <span className={heat.end}>{high}</span>
      <span className={heat.unit}>{note}</span>
    </div>
  );
}

/** The numbers of the section under the pointer, in both results. */
function Readout({ comparison: { sections } }: { readonly comparison: Comparison }) {
  const words = compareWords().difference;
  const id = useStoreValue('selection', activeIn);
  const one = sections.find((section) => section.id === id);
  const section = one?.a ?? one?.b;
  return (
    <p className={heat.readout} data-testid="compare-readout">
      {one && section ? (
        <>
          <strong className={heat.name}>{sectionPhrase(section, 48)}</strong>
          <span className={heat.score}>
            A {scoreText(one.a)}, B {scoreText(one.b)}
          </span>
          {one.difference !== null && <span>{words.unit(natsText(one.difference))}</span>}
        </>
      ) : (
        words.readout
      )}
    </p>
  );
}

function scoreText(section: ComparedSection['a']): string {
  return section ? natsText(section.total) : compareWords().difference.none;
}

/** All numbers, folded away until they are asked for. */
function DifferenceTable({ comparison: { sections } }: { readonly comparison: Comparison }) {
  const words = compareWords().difference;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={table.fold} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.table}</summary>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <div className={table.scroll} tabIndex={0} role="group" aria-label={words.table}>
          <table className={table.table} data-testid="difference-table">
            <thead>
              <tr>
                <th scope="col">{words.section}</th>
                <th scope="col">{words.a}</th>
                <th scope="col">{words.b}</th>
                <th scope="col">A − B</th>
              </tr>
            </thead>
            <tbody>
              {sections.map(({ id, a, b, difference }) => (
                <tr key={id}>
                  <th scope="row">{nameIn(a ?? b)}</th>
                  <td>{scoreText(a)}</td>
                  <td>{scoreText(b)}</td>
                  <td>{difference === null ? '–' : natsText(difference)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function nameIn(section: ComparedSection['a']): string {
  return section ? sectionName(section) : '';
}
