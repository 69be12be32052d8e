import { type Example, EXAMPLES, PICTURE_EXAMPLE } from '../../../state/explain/examples.ts';
import { promptWords } from '../../../words/en/explain/prompt.ts';
import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useModelFacts, useStores, useStoreValue } from '../../use-stores.ts';
import { SettingsPanel } from '../settings/settings-panel.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import { RunBar } from './run-bar.tsx';
import { TargetEditor } from './target-editor.tsx';
import beside from '../../parts/fields/beside.module.css';
import styles from './question-panel.module.css';

/** The question: examples, prompt, target, the button that runs it, settings. */
export function QuestionPanel() {
  return (
    <section className={styles.panel} aria-label={promptWords().question}>
      <LinkNote />
      <ExamplePicker />
      <PromptEditor />
      <TargetEditor />
      <RunBar />
      <SettingsPanel />
    </section>
  );
}

/** Says that a link has not brought what it should have. */
function LinkNote() {
  const isUnreadable = useStoreValue('explain', (state) => state.isLinkUnreadable);
  if (!isUnreadable) return null;
  return (
    <p className={beside.wrong} role="alert" data-testid="link-problem">
      {promptWords().linkUnreadable}
    </p>
  );
}

/** Questions to start from; one with a picture where the model can read it. */
function ExamplePicker() {
  const { explain } = useStores();
  const { prompt, target } = useStoreValue('explain', (state) => state.question);
  const canUndo = useStoreValue('explain', (state) => state.replaced !== null);
  const examples = useModelFacts()?.readsImages ? [...EXAMPLES, PICTURE_EXAMPLE] : EXAMPLES;
  const words = promptWords().examples;
  const takeAndRun = async (example: Example) => {
    await explain.getState().take(example);
    await explain.getState().run();
  };
  return (
    <div className={beside.examples} role="group" aria-label={words.label}>
      <span>{words.lead}</span>
      {examples.map((example) => (
        <Button
          key={example.name}
          look="quiet"
          aria-pressed={example.prompt === prompt && example.target === target}
          onClick={() => void takeAndRun(example)}
        >
          {words.names[example.name]}
        </Button>
      ))}
      {canUndo && (
        <Button
          look="quiet"
          onClick={() => {
            focusOn('prompt'); // the button goes when it has done this
            explain.getState().undo();
          }}
        >
          {words.undo}
        </Button>
      )}
    </div>
  );
}
