import { Choice, type Option } from '../../parts/fields/choice.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

const MODES: readonly Option<'auto' | 'add' | 'multiply'>[] = [
  { value: 'auto', label: 'Auto' },
  { value: 'add', label: 'Log-additive' },
  { value: 'multiply', label: 'Multiplicative' },
];
const OVERLAPS: readonly Option<'partial' | 'complete'>[] = [
  { value: 'partial', label: 'Proportionally' },
  { value: 'complete', label: 'Fully' },
];
const SIMILARITIES: readonly Option<string>[] = [
  { value: 'off', label: 'Off' },
  { value: '0.95', label: '≥ 0.95' },
  { value: '0.9', label: '≥ 0.9' },
  { value: '0.8', label: '≥ 0.8' },
  { value: '0.7', label: '≥ 0.7' },
];

/** Settings that most questions do not need. */
export function AdvancedSettings() {
  const { explain } = useStores();
  const { logAdditive, overlap, similarity } = useStoreValue('explain', (state) => state.question.settings);
  const { adjust } = explain.getState();
  return (
    <details className={styles.advanced}>
      <summary>More settings</summary>
      <div className={styles.advancedFields}>
        <Field label="How attention is scaled">
          {(label) => (
            <Choice
              label={label}
              options={MODES}
              value={logAdditive === null ? 'auto' : logAdditive ? 'add' : 'multiply'}
              onChoose={(mode) => adjust({ logAdditive: mode === 'auto' ? null : mode === 'add' })}
            />
          )}
        </Field>
        <Field label="Partly covered tokens">
          {(label) => (
            <Choice label={label} options={OVERLAPS} value={overlap} onChoose={(value) => adjust({ overlap: value })} />
          )}
        </Field>
        <Field label="Also dim similar tokens">
          {(label) => (
            <Choice
              label={label}
              options={SIMILARITIES}
              value={similarity === null ? 'off' : String(similarity)}
              onChoose={(value) => adjust({ similarity: value === 'off' ? null : Number(value) })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}

function Field({ label, children }: { label: string; children: (label: string) => React.ReactNode }) {
  return (
    <div className={panel.field}>
      <span className={styles.small}>{label}</span>
      {children(label)}
    </div>
  );
}
