import styles from './progress-bar.module.css';
import dotStyles from './status-dot.module.css';
import { Component, type ReactNode, Suspense } from 'react';

/** Progress from 0 to 1; an endless animation while the share is unknown. */
export function ProgressBar({ label, share }: { readonly label: string; readonly share: number | null }) {
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share !== null && { 'aria-valuenow': Math.round(share * 100) })}
    >
      <div
        className={share === null ? styles.endless : styles.bar}
        style={{ transform: share === null ? undefined : `scaleX(${share})` }}
      />
    </div>
  );
}

/** How the dot looks: `lit` when all is well, `plain` while nothing is known. */
type StatusDotLook = 'plain' | 'lit' | 'pulsing' | 'hollow' | 'failed';

/** A dot in front of a status. The words beside it say the same, so it is hidden from screen readers. */
export function StatusDot({ look }: { readonly look: StatusDotLook }) {
  return <span className={look === 'plain' ? dotStyles.lamp : `${dotStyles.lamp} ${dotStyles[look]}`} aria-hidden />;
}

interface FallbackBoundaryProps {
  readonly children: ReactNode;
  /** Replaces what fails. */
  readonly fallback: ReactNode;
  /** Shown while the content loads; default: nothing. */
  readonly pending?: ReactNode;
}

/** Shows the fallback where a part fails, such as a chart whose code did not load; the rest of the page works on. */
export class FallbackBoundary extends Component<FallbackBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { children, fallback, pending } = this.props;
    return this.state.hasFailed ? fallback : <Suspense fallback={pending}>{children}</Suspense>;
  }
}
