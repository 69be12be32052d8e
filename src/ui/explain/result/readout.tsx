import { scoreIn, sectionOf, type Influence, type Section, type View } from '../../../state/explain/influence.ts';
import { activeIn } from '../../../state/explain/selection-store.ts';
import { useSelection } from '../../use-stores.ts';
import { natsText } from '../scores/nats.ts';
import styles from './readout.module.css';
import { placeText, sectionPhrase } from '../scores/section-text.ts';

/** The picked-out section in numbers, always in the same place. */
export function Readout({ influence, view }: { readonly influence: Influence; readonly view: View }) {
  const section = sectionOf(influence, useSelection(activeIn));
  return (
    <p className={styles.readout} data-testid="readout">
      {section ? (
        <Facts section={section} view={view} />
      ) : (
        'Point at a section, or walk through them with the arrow keys.'
      )}
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
