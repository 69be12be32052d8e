import { type Example, EXAMPLES, PICTURE_EXAMPLE } from '../../../state/explain/examples.ts';
import { Button } from '../../parts/buttons.tsx';
import { useModelFacts, useStores, useStoreValue } from '../../use-stores.ts';
import { SettingsPanel } from '../settings/settings-panel.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import { RunBar } from './run-bar.tsx';
import { TargetEditor } from './target-editor.tsx';
import styles from './question-panel.module.css';

/** The question: examples, prompt, target, the button that runs it, settings. */
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

/** Questions to start from; one with a picture where the model can read it. */
function ExamplePicker() {
  const { explain } = useStores();
  const { prompt, target } = useStoreValue('explain', (state) => state.question);
  const canUndo = useStoreValue('explain', (state) => state.replaced !== null);
  const examples = useModelFacts()?.readsImages ? [...EXAMPLES, PICTURE_EXAMPLE] : EXAMPLES;
  const takeAndRun = async (example: Example) => {
    await explain.getState().take(example);
    await explain.getState().run();
  };
  return (
    <div className={styles.examples} role="group" aria-label="Examples">
      <span>Try:</span>
      {examples.map((example) => (
        <Button
          key={example.title}
          look="quiet"
          aria-pressed={example.prompt === prompt && example.target === target}
          onClick={() => void takeAndRun(example)}
        >
          {example.title}
        </Button>
      ))}
      {canUndo && (
        <Button look="quiet" onClick={() => explain.getState().undo()}>
          Undo
        </Button>
      )}
    </div>
  );
}
