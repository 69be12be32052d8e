import { MAX_FACTOR } from '../../../contract/wire/max-factor.ts';
import type { Settings } from '../../../state/explain/question.ts';
import type { Option } from '../../parts/fields/choice.tsx';
import { TimeoutField } from '../../settings/timeout-field.tsx';
import { DefaultModelField } from '../../settings/default-model-field.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { FieldNote } from '../problem/field-note.tsx';
import { FIELDS } from '../problem/field-problems.ts';
import { ChoiceSetting, NumberSetting } from './setting.tsx';
import styles from './settings-panel.module.css';

const MODES: readonly Option<'auto' | 'add' | 'multiply'>[] = [
  { value: 'auto', label: 'Auto' },
  { value: 'add', label: 'Log-additive' },
  { value: 'multiply', label: 'Multiplicative' },
];
const OVERLAPS: readonly Option<Settings['overlap']>[] = [
  { value: 'partial', label: 'Proportionally' },
  { value: 'complete', label: 'Fully' },
];
const TARGETS: readonly Option<Settings['targetGranularity']>[] = [
  { value: 'token', label: 'Word by word' },
  { value: 'complete', label: 'As a whole' },
];
const NUMBERS: readonly Option<Settings['postprocessing']>[] = [
  { value: 'none', label: 'With sign' },
  { value: 'absolute', label: 'Size only' },
  { value: 'square', label: 'Squared' },
];
const SCALES: readonly Option<'nats' | 'unit'>[] = [
  { value: 'nats', label: 'As they are' },
  { value: 'unit', label: 'From 0 to 1' },
];

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
  return (
    <>
      <NumberSetting
        field="factor"
        label={`${FIELDS.factor.label}, as a number`}
        help={`That of the slider above, and up to ${MAX_FACTOR.toLocaleString('en')}.`}
        value={settings.factor}
        onChange={(factor) => factor !== null && adjust({ factor })}
      />
      <ChoiceSetting
        field="scaling"
        label={FIELDS.scaling.label}
        help="Multiplicative multiplies the attention scores; log-additive adds the logarithm of the strength. Auto: multiplicative below 1, log-additive above."
        options={MODES}
        value={settings.logAdditive === null ? 'auto' : settings.logAdditive ? 'add' : 'multiply'}
        onChoose={(mode) => adjust({ logAdditive: mode === 'auto' ? null : mode === 'add' })}
      />
      <ChoiceSetting
        field="overlap"
        label={FIELDS.overlap.label}
        help="A token that a part covers by half is dimmed by half, or fully."
        options={OVERLAPS}
        value={settings.overlap}
        onChoose={(overlap) => adjust({ overlap })}
      />
      <NumberSetting
        field="similarity"
        help="Tokens this similar are dimmed with a part: 1 is the same token, 0.7 is usual for pictures. Empty: off."
        value={settings.similarity}
        whenEmpty="off"
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
  return (
    <>
      <ChoiceSetting
        field="target-parts"
        label={FIELDS['target-parts'].label}
        help="Word by word also shows which part of the prompt leads to which word of the target."
        options={TARGETS}
        value={settings.targetGranularity}
        onChoose={(targetGranularity) => adjust({ targetGranularity })}
      />
      <ChoiceSetting
        label="Scores in tables"
        help="The tables below heat map and bars. Colours and words keep the sign."
        options={NUMBERS}
        value={settings.postprocessing}
        onChoose={(postprocessing) => adjust({ postprocessing })}
      />
      <ChoiceSetting
        label="Scale of these scores"
        help="From 0 to 1: the smallest score becomes 0, the largest 1."
        options={SCALES}
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
        <DefaultModelField operation="explain" label={FIELDS.model.label} />
        <FieldNote field="model" />
      </div>
      <TimeoutField />
    </>
  );
}
