import { Tooltip } from '../parts/tooltip.tsx';
import { useEngine } from '../use-stores.ts';
import { engineText } from './engine-text.ts';
import styles from './header.module.css';

/** Which model answers, and on what; the reason is in the tooltip. */
export function ModelBadge() {
  const model = useEngine((state) => state.model);
  const status = useEngine((state) => state.status);
  const { short, long } = engineText(status);
  return (
    <Tooltip text={long}>
      {(describedBy) => (
        <button
          type="button"
          className={styles.badge}
          aria-describedby={describedBy}
          data-kind={status.kind}
          data-testid="model-badge"
        >
          <span className={styles.lamp} aria-hidden />
          <span>
            <span className={styles.model}>{model}</span> · {short}
          </span>
        </button>
      )}
    </Tooltip>
  );
}
