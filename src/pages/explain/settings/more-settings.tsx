import { MAX_FACTOR } from '../../../contract/wire/limits.ts';
import { useId, useState } from 'react';
import { ACCURACIES, POSTPROCESSING } from '../../../explanations/question.ts';
import { Choice } from '../../../parts/fields/choice.tsx';
import layout from '../../../parts/fields/field-layout.module.css';
import { DefaultModelField, TimeoutField } from '../../../parts/fields/service-fields.tsx';
import { hashOfPage } from '../../../stores/page-store.ts';
import { useModelFacts, useStores, useStoreValue } from '../../../stores/use-stores.ts';
import { exactText, numberText, typedNumber } from '../../../words/language.ts';
import { fieldLabel, type FieldName, FieldNote, useFieldMark } from '../question/field-problems.tsx';
import styles from '../question/question-panel.module.css';
import { moreSettingsWords } from './words.en.ts';

/** The threshold that is usual for pictures; see `PICTURE_EXAMPLE`. */
const USUAL_SIMILARITY = 0.7;

/** The model that is asked, and where others come from. */
export function ModelChoice() {
  return (
    <div id="model">
      <div className={styles.modelRow}>
        <DefaultModelField operation="explain" label={fieldLabel('model')} />
        <a href={hashOfPage('models')}>{moreSettingsWords().addModel}</a>
      </div>
      <FieldNote field="model" />
    </div>
  );
}

/** Settings that most questions do not need: how attention is changed, how scores are listed, and those of all requests. */
export function MoreSettings() {
  const isDimmed = !useModelFacts()?.upstream;
  return (
    <div className={styles.advancedFields}>
      {isDimmed && <AttentionSettings />}
      <ScoreSettings />
      <TimeoutField />
    </div>
  );
}

function useQuestionSettings() {
  const { explain } = useStores();
  const settings = useStoreValue('explain', (state) => state.question.settings);
  return { settings, adjust: explain.getState().adjust, words: moreSettingsWords() };
}

function AttentionSettings() {
  const { settings, adjust, words } = useQuestionSettings();
  return (
    <>
      <ChoiceSetting
        label={words.accuracy.label}
        words={words.accuracy}
        values={ACCURACIES}
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
        words={words.scaling}
        values={['auto', 'add', 'multiply']}
        value={settings.logAdditive === null ? 'auto' : settings.logAdditive ? 'add' : 'multiply'}
        onChoose={(mode) => adjust({ logAdditive: mode === 'auto' ? null : mode === 'add' })}
      />
      <ChoiceSetting
        field="overlap"
        words={words.overlap}
        values={['partial', 'complete']}
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

/** The parts of the target, and how tables list their scores. */
function ScoreSettings() {
  const { settings, adjust, words } = useQuestionSettings();
  return (
    <>
      <ChoiceSetting
        field="target-parts"
        words={words.target}
        values={['token', 'complete']}
        value={settings.targetGranularity}
        onChoose={(targetGranularity) => adjust({ targetGranularity })}
      />
      <ChoiceSetting
        label={words.numbers.label}
        words={words.numbers}
        values={POSTPROCESSING}
        value={settings.postprocessing}
        onChoose={(postprocessing) => adjust({ postprocessing })}
      />
      <ChoiceSetting
        label={words.scale.label}
        words={words.scale}
        values={['nats', 'unit']}
        value={settings.normalize ? 'unit' : 'nats'}
        onChoose={(scale) => adjust({ normalize: scale === 'unit' })}
      />
    </>
  );
}

interface ChoiceSettingProps<Value extends string> {
  /** Shows the problem of the request; left out for settings that are not part of requests. */
  readonly field?: FieldName;
  /** Default: the label of the field. */
  readonly label?: string;
  readonly words: Readonly<Record<Value | 'help', string>>;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** One of a few values: its label, its field, one line of help, and what is wrong with it. */
function ChoiceSetting<Value extends string>(props: ChoiceSettingProps<Value>) {
  const { field, words, values, value, onChoose } = props;
  const label = props.label ?? (field ? fieldLabel(field) : '');
  const options = values.map((one) => ({ value: one, label: words[one] }));
  return (
    <div className={styles.field} id={field}>
      <span className={styles.small} aria-hidden>
        {label}
      </span>
      <Choice label={label} options={options} value={value} onChoose={onChoose} />
      <p className={styles.hint}>{words.help}</p>
      {field && <FieldNote field={field} />}
    </div>
  );
}

/** A number of any size, typed. A text that is not a number is reported at once and changes nothing; the service refuses what is too large. */
function NumberSetting(props: {
  readonly field: FieldName;
  /** Default: the label of the field. */
  readonly label?: string;
  readonly help: string;
  /** Null is shown as an empty field. */
  readonly value: number | null;
  /** Shown in an empty field; without it, an empty field is wrong. */
  readonly whenEmpty?: string;
  readonly onChange: (value: number | null) => void;
}) {
  const { field, label = fieldLabel(field), help, value, whenEmpty, onChange } = props;
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const mark = useFieldMark(field, `${id}-help ${id}-wrong`);
  const shown = draft ?? (value === null ? '' : exactText(value));
  const isWrong = numberIn(shown, whenEmpty !== undefined) === undefined;
  const change = (text: string) => {
    setDraft(text);
    const number = numberIn(text, whenEmpty !== undefined);
    if (number !== undefined) onChange(number);
  };
  return (
    <div className={styles.field}>
      <label className={styles.small} htmlFor={field}>
        {label}
      </label>
      <input
        {...mark}
        className={styles.input}
        inputMode="decimal"
        aria-invalid={mark['aria-invalid'] || isWrong}
        placeholder={whenEmpty}
        value={shown}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setDraft(null)}
      />
      <p className={styles.hint} id={`${id}-help`}>
        {help}
      </p>
      <p className={layout.wrong} id={`${id}-wrong`} aria-live="polite">
        {isWrong && moreSettingsWords().enterNumber(numberText(0.5))}
      </p>
      <FieldNote field={field} />
    </div>
  );
}

/** Undefined for a text that is not a number; null for an empty one, where that is a value. */
function numberIn(text: string, canBeEmpty: boolean): number | null | undefined {
  if (text.trim() === '') return canBeEmpty ? null : undefined;
  const number = typedNumber(text);
  return Number.isFinite(number) ? number : undefined;
}
