import { Component, type KeyboardEvent, type ReactNode, Suspense, type SyntheticEvent, useId, useRef } from 'react';
import styles from './status.module.css';

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
  return <span className={look === 'plain' ? styles.lamp : `${styles.lamp} ${styles[look]}`} aria-hidden />;
}

interface FallbackBoundaryProps {
  readonly children: ReactNode;
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

/** A text that opens on hover and on focus, above everything else, and closes with Escape. */
export function Tooltip(props: {
  readonly text: string;
  /** The element, which must take focus and the given `aria-describedby`. */
  readonly children: (describedBy: string) => ReactNode;
}) {
  const { text, children } = props;
  const id = useId();
  const bubble = useRef<HTMLSpanElement>(null);
  const hide = () => bubble.current?.hidePopover();
  const show = (event: SyntheticEvent) => {
    if (!bubble.current) return;
    bubble.current.togglePopover(true);
    place(bubble.current, event.currentTarget.getBoundingClientRect());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide();
  };
  return (
    // The element inside acts; listeners around it and the bubble keep the bubble open while the pointer is on it (WCAG 1.4.13).
    <span
      role="presentation"
      className={styles.anchor}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {children(id)}
      <span ref={bubble} id={id} className={styles.bubble} role="tooltip" popover="manual">
        {text}
      </span>
    </span>
  );
}

const GAP_PIXELS = 8;

/** Below `anchor`, centred, but never out of the window sideways. */
function place(bubble: HTMLElement, anchor: DOMRect): void {
  const centred = anchor.left + (anchor.width - bubble.offsetWidth) / 2;
  const last = document.documentElement.clientWidth - bubble.offsetWidth - GAP_PIXELS;
  bubble.style.left = `${Math.max(GAP_PIXELS, Math.min(centred, last))}px`;
  bubble.style.top = `${anchor.bottom + GAP_PIXELS}px`;
}
