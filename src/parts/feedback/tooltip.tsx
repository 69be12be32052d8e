import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useRef } from 'react';
import styles from './tooltip.module.css';

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
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the element inside acts; this listens to its events
    <span
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
