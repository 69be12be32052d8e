import { GRANULARITIES, type Granularity } from '../../../state/explain/question.ts';
import { Choice, type Option } from '../../parts/fields/choice.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { FieldNote, useFieldMark } from '../problem/field-note.tsx';
import { FIELDS } from '../problem/field-problems.ts';
import { AdvancedSettings } from './advanced-settings.tsx';
import { FactorField } from './factor-field.tsx';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

const LABELS: Readonly<Record<Granularity, string>> = {
  auto: 'Auto',
  token: 'Token',
  word: 'Word',
  sentence: 'Sentence',
  paragraph: 'Paragraph',
  custom: 'Custom',
};
const OPTIONS: readonly Option<Granularity>[] = GRANULARITIES.map((value) => ({ value, label: LABELS[value] }));

/** How the prompt is split, and how each section is dimmed. */
export function SettingsPanel() {
  const { explain } = useStores();
  const granularity = useStoreValue('explain', (state) => state.question.settings.granularity);
  return (
    <div className={styles.settings}>
      <div className={panel.field} id="granularity">
        <span className={panel.label} aria-hidden>
          {FIELDS.granularity.label}
        </span>
        <Choice
          label={FIELDS.granularity.label}
          options={OPTIONS}
          value={granularity}
          onChoose={(value) => explain.getState().adjust({ granularity: value })}
        />
        {granularity === 'auto' && <p className={panel.hint}>Picks the split closest to 30 parts.</p>}
        {granularity === 'custom' && <DelimiterField />}
        <FieldNote field="granularity" />
      </div>
      <FactorField />
      <AdvancedSettings />
    </div>
  );
}

/** Where a custom granularity splits; line ends are written `\n`, because a one-line field cannot hold them. */
function DelimiterField() {
  const { explain } = useStores();
  const delimiter = useStoreValue('explain', (state) => state.question.settings.delimiter);
  const mark = useFieldMark('delimiter');
  return (
    <>
      <label className={styles.delimiter}>
        {FIELDS.delimiter.label}
        <input
          {...mark}
          data-testid="delimiter"
          value={delimiter.replaceAll('\n', '\\n')}
          placeholder="such as ### or \n"
          onChange={(event) => explain.getState().adjust({ delimiter: event.target.value.replaceAll('\\n', '\n') })}
        />
      </label>
      <FieldNote field="delimiter" />
    </>
  );
}
