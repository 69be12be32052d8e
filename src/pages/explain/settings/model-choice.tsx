import { DefaultModelField } from '../../../parts/fields/service-fields.tsx';
import { hashOfPage } from '../../../stores/page-store.ts';
import { fieldLabel, FieldNote } from '../question/field-problems.tsx';
import styles from '../question/question-panel.module.css';
import { moreSettingsWords } from './words.en.ts';

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
