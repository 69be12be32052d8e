import { NEUTRAL_NATS, rankedIn, type Section } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import type { Contrasted } from '../../../../state/variations/contrast-store.ts';
import { contrastWords } from '../../../../words/en/explain/contrast.ts';
import { HeatMap } from '../../result/heat/heat-map.tsx';
import { PictureHeat } from '../../result/heat/picture-heat.tsx';
import panel from '../../result/result-panel.module.css';
import { capitalised, natsText, quotedTarget, sectionName, sectionPhrase } from '../../texts.ts';
import styles from './contrast.module.css';

/** See `ContrastResult`. */
export interface ContrastResultProps {
  readonly outcome: Outcome;
  readonly contrasted: Contrasted;
}

/** A contrast in words, on the prompt, and in numbers. */
export function ContrastResult({ outcome, contrasted }: ContrastResultProps) {
  const { question } = outcome;
  const { difference, foil } = contrasted;
  const words = contrastWords();
  return (
    <>
      <p className={styles.lead} role="status" data-testid="contrast-lead">
        {leadOf(outcome, contrasted)}
      </p>
      {question.picture && (
        <PictureHeat name={words.picture} picture={question.picture} tiles={difference.picture} view="whole" />
      )}
      {question.prompt !== '' && (
        <HeatMap name={words.prompt} text={question.prompt} sections={difference.prompt} view="whole" />
      )}
      <p className={panel.note}>{words.ends(quotedTarget(question.target), quotedTarget(foil))}</p>
      <Numbers outcome={outcome} contrasted={contrasted} />
    </>
  );
}

function leadOf({ question }: Outcome, { difference, foil }: Contrasted): string {
  const words = contrastWords();
  const [top] = rankedIn(difference.sections, 'whole');
  const [target, other] = [quotedTarget(question.target), quotedTarget(foil)];
  if (!top || Math.abs(top.total) < NEUTRAL_NATS) return words.alike(target, other);
  const says = top.total > 0 ? words.forTarget : words.forFoil;
  return capitalised(says(sectionPhrase(top), target, other, natsText(top.total)));
}

/** Rows of the table at most. */
const MOST_ROWS = 10;

/** The scores for both texts, and their difference. */
function Numbers({ outcome, contrasted }: ContrastResultProps) {
  const { difference, ofFoil, foil } = contrasted;
  const words = contrastWords();
  const foilScore = ({ id }: Section) => ofFoil.get(id) ?? 0;
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="contrast-table">
        <caption className={panel.note}>{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.section}</th>
            <th scope="col">{quotedTarget(outcome.question.target)}</th>
            <th scope="col">{quotedTarget(foil)}</th>
            <th scope="col">{words.difference}</th>
          </tr>
        </thead>
        <tbody>
          {rankedIn(difference.sections, 'whole')
            .slice(0, MOST_ROWS)
            .map((section) => (
              <tr key={section.id}>
                <th scope="row">
                  <bdi>{sectionName(section)}</bdi>
                </th>
                <td>{natsText(section.total + foilScore(section))}</td>
                <td>{natsText(foilScore(section))}</td>
                <td>{natsText(section.total)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
