import { GRANULARITIES, type Granularity } from '../../../state/explain/question.ts';
import { Choice, type Option } from '../../parts/fields/choice.tsx';
import { useExplain, useStores } from '../../use-stores.ts';
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

/** How the prompt is cut, and what is done to each section. */
export function SettingsPanel() {
  const { explain } = useStores();
  const granularity = useExplain((state) => state.question.settings.granularity);
  return (
    <div className={styles.settings}>
      <div className={panel.field}>
        <span className={panel.label}>Sections</span>
        <Choice
          label="Sections of the prompt"
          options={OPTIONS}
          value={granularity}
          onChoose={(value) => explain.getState().adjust({ granularity: value })}
        />
        {granularity === 'auto' && <p className={panel.hint}>Whichever comes nearest to 30 sections.</p>}
        {granularity === 'custom' && <DelimiterField />}
      </div>
      <FactorField />
      <AdvancedSettings />
    </div>
  );
}

/** Where a custom granularity cuts; line ends are written `\n`, because a one-line field cannot hold them. */
function DelimiterField() {
  const { explain } = useStores();
  const delimiter = useExplain((state) => state.question.settings.delimiter);
  return (
    <label className={styles.delimiter}>
      Cut at
      <input
        data-testid="delimiter"
        value={delimiter.replaceAll('\n', '\\n')}
        placeholder="such as ### or \n"
        onChange={(event) => explain.getState().adjust({ delimiter: event.target.value.replaceAll('\\n', '\n') })}
      />
    </label>
  );
}
