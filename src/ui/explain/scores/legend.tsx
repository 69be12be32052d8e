import { largestIn, type Section, type View } from '../../../state/explain/influence.ts';
import { natsText } from './nats.ts';
import styles from './legend.module.css';

/** What the colours mean, and the numbers at their ends. */
export interface LegendProps {
  readonly sections: readonly Section[];
  readonly view: View;
  readonly factor: number;
}

/** The scale of the heat map. Above a factor of 1 the sign turns: strengthening what helps lowers the cross entropy. */
export function Legend({ sections, view, factor }: LegendProps) {
  const largest = largestIn(sections, view);
  const [below, above] = factor > 1 ? ['strengthening helps', 'strengthening hurts'] : ['opposes', 'supports'];
  return (
    <div className={styles.legend}>
      <span className={styles.end}>{below}</span>
      <span className={styles.number}>{natsText(-largest)}</span>
      <span className={styles.scale} aria-hidden>
        <span className={styles.zero} />
      </span>
      <span className={styles.number}>{natsText(largest)}</span>
      <span className={styles.end}>{above}</span>
      <span className={styles.unit}>nats of cross entropy</span>
    </div>
  );
}
