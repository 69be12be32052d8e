import { CLASS_EXAMPLES } from '../../../state/learn/class/class-examples.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { ExampleCard } from './example-card.tsx';
import { PartFrame } from './part-frame.tsx';
import styles from './class.module.css';

/** Twelve examples, each with what it shows. */
export function ExamplesPart() {
  const { title, text } = learnWords().class.examples;
  return (
    <PartFrame title={title} text={text}>
      <ol className={styles.cards}>
        {CLASS_EXAMPLES.map((example) => (
          <li key={example.id}>
            <ExampleCard example={example} />
          </li>
        ))}
      </ol>
    </PartFrame>
  );
}
