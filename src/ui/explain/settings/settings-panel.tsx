import { GRANULARITIES } from '../../../state/explain/question.ts';
import { questionSettingsWords } from '../../../words/en/explain/settings.ts';
import { Choice } from '../../parts/fields/choice.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { FieldNote, useFieldMark } from '../problem/field-note.tsx';
import { fieldLabel } from '../problem/field-problems.ts';
import { AdvancedSettings } from './advanced-settings.tsx';
import { FactorField } from './factor-field.tsx';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

/** How the prompt is split, and how each section is dimmed. */
export function SettingsPanel() {
  const { explain } = useStores();
  const granularity = useStoreValue('explain', (state) => state.question.settings.granularity);
  const words = questionSettingsWords();
  return (
    <div className={styles.settings}>
      <div className={panel.field} id="granularity">
        <span className={panel.label} aria-hidden>
          {fieldLabel('granularity')}
        </span>
        <Choice
          label={fieldLabel('granularity')}
          options={GRANULARITIES.map((value) => ({ value, label: words.granularities[value] }))}
          value={granularity}
          onChoose={(value) => explain.getState().adjust({ granularity: value })}
        />
        {granularity === 'auto' && <p className={panel.hint}>{words.autoHint}</p>}
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
        {fieldLabel('delimiter')}
        <input
          {...mark}
          data-testid="delimiter"
          value={delimiter.replaceAll('\n', '\\n')}
          placeholder={questionSettingsWords().delimiterExample}
          onChange={(event) => explain.getState().adjust({ delimiter: event.target.value.replaceAll('\\n', '\n') })}
        />
      </label>
      <FieldNote field="delimiter" />
    </>
  );
}
