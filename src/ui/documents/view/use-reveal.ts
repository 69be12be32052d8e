import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { Answer } from '../../../state/documents/answers.ts';

/** Brings the mark of an answer into sight, once for each answer that is chosen: who scrolls on stays there. */
export type Reveal = (mark: HTMLElement) => void;

/** @param frame  what scrolls; the page scrolls too where the frame is out of sight */
export function useReveal(frame: RefObject<HTMLElement | null>, answer: Answer | null): Reveal {
  const waiting = useRef<Answer | null>(null);
  useLayoutEffect(() => {
    waiting.current = answer;
  }, [answer]);
  return useCallback(
    (mark) => {
      if (!waiting.current || !frame.current) return;
      waiting.current = null;
      centre(mark, frame.current);
    },
    [frame],
  );
}

/** Scrolls within the frame only. */
function centre(mark: HTMLElement, frame: HTMLElement): void {
  const [inner, outer] = [mark.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  const isHidden = inner.left < outer.left || inner.right > outer.right;
  if (isHidden) frame.scrollLeft += inner.left - outer.left - outer.width / 4;
}
