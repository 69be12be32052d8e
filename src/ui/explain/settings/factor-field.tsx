import { StopsSlider } from '../../parts/fields/stops-slider.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { FIELDS } from '../problem/field-problems.ts';
import { FACTORS, factorText } from '../texts.ts';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

/** Words below the stops that they name. */
const MARKS = [
  { text: '0 = ignored', share: 0 },
  { text: '1 = unchanged', share: FACTORS.indexOf(1) / (FACTORS.length - 1) },
  { text: '2', share: 1 },
];

/** The factor on the attention that a section gets. */
export function FactorField() {
  const { explain } = useStores();
  const factor = useStoreValue('explain', (state) => state.question.settings.factor);
  const text = `× ${factor}: ${factorText(factor)}`;
  return (
    <div className={panel.field}>
      <div className={panel.labelRow}>
        <span className={panel.label}>{FIELDS.factor.label}</span>
        <span className={panel.hint}>{text}</span>
      </div>
      <StopsSlider
        label={FIELDS.factor.label}
        stops={FACTORS}
        value={factor}
        text={text}
        onChange={(value) => explain.getState().adjust({ factor: value })}
      />
      <div className={styles.marks} aria-hidden>
        {MARKS.map((mark) => (
          <span key={mark.text} style={{ left: `${mark.share * 100}%` }}>
            {mark.text}
          </span>
        ))}
      </div>
    </div>
  );
}
