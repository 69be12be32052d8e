import {
  type Influence,
  largestIn,
  NEUTRAL_NATS,
  scoreIn,
  type Section,
  sectionOf,
  type View,
} from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { sectionsWords } from '../../../../words/en/explain/sections.ts';
import { numberText } from '../../../../words/numbers.ts';
import { useStoreValue } from '../../../use-stores.ts';
import { natsText, placeText, sectionPhrase } from '../../texts.ts';
import { fullColour } from './colour-scale.ts';
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
      {section ? <Facts section={section} view={view} /> : resultWords().heat.readout}
    </p>
  );
}

function Facts({ section, view }: { readonly section: Section; readonly view: View }) {
  const words = sectionsWords();
  const score = scoreIn(section, view);
  return (
    <>
      <strong className={styles.name}>{sectionPhrase(section, 48)}</strong>
      <span className={styles.score}>{score === null ? words.noScore : words.nats(natsText(score))}</span>
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

/** The scale of the heat map: the same colour is the same number of nats. */
function Legend({ sections, view, factor }: LegendProps) {
  const words = resultWords().heat;
  const full = numberText(fullColour(largestIn(sections, view)));
  const least = numberText(NEUTRAL_NATS);
  return (
    <div className={styles.legend} data-testid="legend">
      <span className={styles.end}>{words.opposes}</span>
      <span className={styles.number}>−{full}</span>
      <span className={styles.scale} aria-hidden>
        <span className={styles.zero} />
      </span>
      <span className={styles.number}>+{full}</span>
      <span className={styles.end}>{words.supports}</span>
      <span className={styles.unit}>{factor > 1 ? words.unitTurned(least) : words.unit(least)}</span>
    </div>
  );
}
