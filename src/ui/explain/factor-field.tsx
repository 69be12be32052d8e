import { StopsSlider } from '../parts/stops-slider.tsx';
import { useExplain, useStores } from '../use-stores.ts';
import { FACTORS, factorText } from './factor-text.ts';
import panel from './question-panel.module.css';
import styles from './settings-panel.module.css';

/** What happens to the attention that a section gets. */
export function FactorField() {
  const { explain } = useStores();
  const factor = useExplain((state) => state.question.settings.factor);
  const text = `Attention × ${factor}: ${factorText(factor)}`;
  return (
    <div className={panel.field}>
      <div className={panel.labelRow}>
        <span className={panel.label}>Control factor</span>
        <span className={panel.hint}>{text}</span>
      </div>
      <StopsSlider
        label="Control factor"
        stops={FACTORS}
        value={factor}
        text={text}
        onChange={(value) => explain.getState().adjust({ factor: value })}
      />
      <div className={styles.ends} aria-hidden>
        <span>0 removed</span>
        <span>1 unchanged</span>
        <span>2 doubled</span>
      </div>
    </div>
  );
}
