import { ACCURACIES } from '../../../state/explain/question.ts';
import { MAX_FACTOR } from '../../../contract/wire/max-factor.ts';
import { moreSettingsWords } from '../../../words/en/explain/more-settings.ts';
import { numberText } from '../../../words/numbers.ts';
import { TimeoutField } from '../../settings/timeout-field.tsx';
import { DefaultModelField } from '../../settings/default-model-field.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { FieldNote } from '../problem/field-note.tsx';
import { fieldLabel } from '../problem/field-problems.ts';
import { ChoiceSetting, NumberSetting } from './setting.tsx';
import styles from './settings-panel.module.css';

/** The threshold that is usual for pictures; see `PICTURE_EXAMPLE`. */
const USUAL_SIMILARITY = 0.7;

/** Settings that most questions do not need. */
export function MoreSettings() {
  return (
    <div className={styles.advancedFields}>
      <Dimming />
      <Listing />
      <Service />
    </div>
  );
}

/** How the attention to a section is changed. */
function Dimming() {
  const { explain } = useStores();
  const settings = useStoreValue('explain', (state) => state.question.settings);
  const { adjust } = explain.getState();
  const words = moreSettingsWords();
  return (
    <>
      <ChoiceSetting
        label={words.accuracy.label}
        help={words.accuracy.help}
        options={ACCURACIES.map((value) => ({ value, label: words.accuracy[value] }))}
        value={settings.accuracy}
        onChoose={(accuracy) => adjust({ accuracy })}
      />
      <NumberSetting
        field="factor"
        label={words.factor.label}
        help={words.factor.help(numberText(MAX_FACTOR))}
        value={settings.factor}
        onChange={(factor) => factor !== null && adjust({ factor })}
      />
      <ChoiceSetting
        field="scaling"
        label={fieldLabel('scaling')}
        help={words.scaling.help}
        options={(['auto', 'add', 'multiply'] as const).map((value) => ({ value, label: words.scaling[value] }))}
        value={settings.logAdditive === null ? 'auto' : settings.logAdditive ? 'add' : 'multiply'}
        onChoose={(mode) => adjust({ logAdditive: mode === 'auto' ? null : mode === 'add' })}
      />
      <ChoiceSetting
        field="overlap"
        label={fieldLabel('overlap')}
        help={words.overlap.help}
        options={(['partial', 'complete'] as const).map((value) => ({ value, label: words.overlap[value] }))}
        value={settings.overlap}
        onChoose={(overlap) => adjust({ overlap })}
      />
      <NumberSetting
        field="similarity"
        help={words.similarity.help(numberText(USUAL_SIMILARITY))}
        value={settings.similarity}
        whenEmpty={words.similarity.off}
        onChange={(similarity) => adjust({ similarity })}
      />
    </>
  );
}

/** What is explained, and how its numbers are listed. */
function Listing() {
  const { explain } = useStores();
  const settings = useStoreValue('explain', (state) => state.question.settings);
  const { adjust } = explain.getState();
  const words = moreSettingsWords();
  return (
    <>
      <ChoiceSetting
        field="target-parts"
        label={fieldLabel('target-parts')}
        help={words.target.help}
        options={(['token', 'complete'] as const).map((value) => ({ value, label: words.target[value] }))}
        value={settings.targetGranularity}
        onChoose={(targetGranularity) => adjust({ targetGranularity })}
      />
      <ChoiceSetting
        label={words.numbers.label}
        help={words.numbers.help}
        options={(['none', 'absolute', 'square'] as const).map((value) => ({ value, label: words.numbers[value] }))}
        value={settings.postprocessing}
        onChoose={(postprocessing) => adjust({ postprocessing })}
      />
      <ChoiceSetting
        label={words.scale.label}
        help={words.scale.help}
        options={(['nats', 'unit'] as const).map((value) => ({ value, label: words.scale[value] }))}
        value={settings.normalize ? 'unit' : 'nats'}
        onChoose={(scale) => adjust({ normalize: scale === 'unit' })}
      />
    </>
  );
}

/** What holds for all requests of the page; the settings page has the same fields. */
function Service() {
  return (
    <>
      <div id="model">
        <DefaultModelField operation="explain" label={fieldLabel('model')} />
        <FieldNote field="model" />
      </div>
      <TimeoutField />
    </>
  );
}
