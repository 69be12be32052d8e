import { EXAMPLES, PICTURE_EXAMPLE } from '../../../state/explain/examples.ts';
import { Button } from '../../parts/button.tsx';
import { useExplain, useReadsImages, useStores } from '../../use-stores.ts';
import styles from './question-panel.module.css';

/** Questions to start from; one with a picture where the model can read it. */
export function ExamplePicker() {
  const { explain } = useStores();
  const { prompt, target } = useExplain((state) => state.question);
  const examples = useReadsImages() ? [...EXAMPLES, PICTURE_EXAMPLE] : EXAMPLES;
  return (
    <div className={styles.examples} role="group" aria-label="Examples">
      <span>Try:</span>
      {examples.map((example) => (
        <Button
          key={example.title}
          look="quiet"
          aria-pressed={example.prompt === prompt && example.target === target}
          onClick={() => void explain.getState().take(example)}
        >
          {example.title}
        </Button>
      ))}
    </div>
  );
}
