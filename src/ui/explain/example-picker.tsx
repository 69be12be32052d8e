import { EXAMPLES } from '../../state/examples.ts';
import { Button } from '../parts/button.tsx';
import { useExplain, useStores } from '../use-stores.ts';
import styles from './question-panel.module.css';

/** Questions to start from. */
export function ExamplePicker() {
  const { explain } = useStores();
  const { prompt, target } = useExplain((state) => state.question);
  return (
    <div className={styles.examples} role="group" aria-label="Examples">
      <span>Try:</span>
      {EXAMPLES.map((example) => (
        <Button
          key={example.title}
          look="quiet"
          aria-pressed={example.prompt === prompt && example.target === target}
          onClick={() => explain.getState().edit({ prompt: example.prompt, target: example.target })}
        >
          {example.title}
        </Button>
      ))}
    </div>
  );
}
