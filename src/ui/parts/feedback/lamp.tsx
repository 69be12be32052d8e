import styles from './lamp.module.css';

/** How a lamp looks: `lit` when all is well, `plain` while nothing is known. */
export type LampLook = 'plain' | 'lit' | 'pulsing' | 'hollow' | 'failed';

/** A dot in front of a status. The words beside it say the same, so it is hidden from screen readers. */
export function Lamp({ look }: { readonly look: LampLook }) {
  return <span className={look === 'plain' ? styles.lamp : `${styles.lamp} ${styles[look]}`} aria-hidden />;
}
