import { hashOfCard } from '../../state/page/page-store.ts';
import { Tooltip } from '../parts/feedback/tooltip.tsx';
import { useEngine } from '../use-stores.ts';
import { engineText } from './engine-text.ts';
import styles from './header.module.css';

/** Which model answers, and on what, with its card behind it; the reason is in the tooltip. */
export function ModelBadge() {
  const model = useEngine((state) => state.model);
  const status = useEngine((state) => state.status);
  const { short, long } = engineText(status);
  return (
    <Tooltip text={long}>
      {(describedBy) => (
        <a
          href={hashOfCard(model)}
          className={styles.badge}
          aria-describedby={describedBy}
          data-kind={status.kind}
          data-testid="model-badge"
        >
          <span className={styles.lamp} aria-hidden />
          <span>
            <span className={styles.model}>{model}</span> · {short}
          </span>
        </a>
      )}
    </Tooltip>
  );
}
