import { questionSettingsWords } from '../../../words/en/explain/settings.ts';
import { StopsSlider } from '../../parts/fields/stops-slider.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { fieldLabel } from '../problem/field-problems.ts';
import { FACTORS, strengthText } from '../texts.ts';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

/** Where 1 stands on the slider. */
const ONE = FACTORS.indexOf(1) / (FACTORS.length - 1);

/** The factor on the attention that a section gets. */
export function FactorField() {
  const { explain } = useStores();
  const factor = useStoreValue('explain', (state) => state.question.settings.factor);
  const text = strengthText(factor);
  const label = fieldLabel('factor');
  const words = questionSettingsWords().marks;
  const marks = [
    { text: words.none, share: 0 },
    { text: words.one, share: ONE },
    { text: '2', share: 1 },
  ];
  return (
    <div className={panel.field}>
      <div className={panel.labelRow}>
        <span className={panel.label}>{label}</span>
        <span className={panel.hint}>{text}</span>
      </div>
      <StopsSlider
        label={label}
        stops={FACTORS}
        value={factor}
        text={text}
        onChange={(value) => explain.getState().adjust({ factor: value })}
      />
      <div className={styles.marks} aria-hidden>
        {marks.map((mark) => (
          <span key={mark.text} style={{ left: `${mark.share * 100}%` }}>
            {mark.text}
          </span>
        ))}
      </div>
    </div>
  );
}
