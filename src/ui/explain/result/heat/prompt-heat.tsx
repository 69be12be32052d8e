import {
  type Influence,
  largestIn,
  scoreIn,
  type Section,
  sectionOf,
  type View,
} from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { useStoreValue } from '../../../use-stores.ts';
import { natsText, placeText, sectionPhrase } from '../../texts.ts';
import { HeatMap } from './heat-map.tsx';
import { PictureHeat } from './picture-heat.tsx';
import styles from './prompt-heat.module.css';

/**
 * The whole prompt by influence. Picture and text have a scale each: one of many tiles scores less than a word does and
 * would be invisible on the word's scale.
 */
export function PromptHeat({ outcome, view }: { readonly outcome: Outcome; readonly view: View }) {
  const { influence, question } = outcome;
  const { factor } = question.settings;
  return (
    <>
      {question.picture && (
        <>
          <PictureHeat picture={question.picture} tiles={influence.picture} view={view} />
          <Legend sections={influence.picture} view={view} factor={factor} />
        </>
      )}
      {question.prompt !== '' && <HeatMap text={question.prompt} sections={influence.prompt} view={view} />}
      <Readout influence={influence} view={view} />
      {question.prompt !== '' && <Legend sections={influence.prompt} view={view} factor={factor} />}
    </>
  );
}

/** The numbers of the section under the pointer, or of the pinned one, always in the same place. */
function Readout({ influence, view }: { readonly influence: Influence; readonly view: View }) {
  const section = sectionOf(influence, useStoreValue('selection', activeIn));
  return (
    <p className={styles.readout} data-testid="readout">
      {section ? <Facts section={section} view={view} /> : 'Hover over a word, or use the arrow keys.'}
    </p>
  );
}

function Facts({ section, view }: { readonly section: Section; readonly view: View }) {
  const score = scoreIn(section, view);
  return (
    <>
      <strong className={styles.name}>{sectionPhrase(section, 48)}</strong>
      <span className={styles.score}>{score === null ? 'no score' : `${natsText(score)} nats`}</span>
      <span>{placeText(section)}</span>
    </>
  );
}

/** What the colours mean, and the numbers at their ends. */
interface LegendProps {
  readonly sections: readonly Section[];
  readonly view: View;
  readonly factor: number;
}

/** The scale of the heat map. Above a factor of 1 the sign turns: strengthening what helps lowers the cross entropy. */
function Legend({ sections, view, factor }: LegendProps) {
  const largest = largestIn(sections, view);
  const [below, above] = factor > 1 ? ['strengthening helps', 'strengthening hurts'] : ['opposes', 'supports'];
  return (
    <div className={styles.legend}>
      <span className={styles.end}>{below}</span>
      <span className={styles.number}>{natsText(-largest)}</span>
      <span className={styles.scale} aria-hidden>
        <span className={styles.zero} />
      </span>
      <span className={styles.number}>{natsText(largest)}</span>
      <span className={styles.end}>{above}</span>
      <span className={styles.unit}>nats of cross entropy</span>
    </div>
  );
}
