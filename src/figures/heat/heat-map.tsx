import { useMemo } from 'react';
import { NEUTRAL_NATS, type ScoreView } from '../../explanations/influence.ts';
import type { Outcome } from '../../explanations/outcome.ts';
import { dataUrl, type Question } from '../../explanations/question.ts';
import { sectionsWords } from '../../explanations/words.en.ts';
import { numberText } from '../../words/language.ts';
import type { HeatData } from '../elements/heat-data.ts';
import '../elements/heat-map.ts';
import '../elements/react.ts';
import type { TableSettings } from '../elements/score-table.ts';
import { useLinkedElement } from '../section-links.ts';
import { resultWords } from '../words.en.ts';
import styles from './heat-map.module.css';

/**
 * The whole prompt by influence. Picture and text have a scale each: one of many tiles scores less than a word does and
 * would be invisible on the word's scale.
 */
export function PromptHeat(props: {
  readonly outcome: Outcome;
  readonly view: ScoreView;
  readonly settings: TableSettings;
}) {
  const { outcome, view, settings } = props;
  const { influence, question } = outcome;
  const words = resultWords().heat;
  const least = numberText(NEUTRAL_NATS);
  const note = influence.turn < 0 ? words.unitTurned(least) : words.unit(least);
  const data = useHeatData(question, influence);
  const ref = useLinkedElement();
  return (
    <lightwell-heat-map
      ref={ref}
      className={styles.heat}
      data={data}
      view={view}
      texts={{ note }}
      settings={settings}
    />
  );
}

/** What a heat map of a question shows. */
export function useHeatData({ prompt, picture }: Question, influence: HeatData['influence']): HeatData {
  return useMemo(
    () => ({
      text: prompt,
      picture: picture && { url: dataUrl(picture), alt: sectionsWords().pictureAlt(picture.name) },
      influence,
    }),
    [prompt, picture, influence],
  );
}
