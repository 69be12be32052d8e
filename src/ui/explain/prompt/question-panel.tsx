import { ExamplePicker } from './example-picker.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import styles from './question-panel.module.css';
import { RunBar } from '../run/run-bar.tsx';
import { SettingsPanel } from '../settings/settings-panel.tsx';
import { TargetEditor } from './target-editor.tsx';

/** What is asked, and how. */
export function QuestionPanel() {
  return (
    <section className={styles.panel} aria-label="Question">
      <ExamplePicker />
      <PromptEditor />
      <TargetEditor />
      <RunBar />
      <SettingsPanel />
    </section>
  );
}
