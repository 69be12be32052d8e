import { type RefObject, useCallback, useRef } from 'react';
import type { Answer } from '../../../state/documents/answers.ts';

/** Brings the mark of an answer into sight, once for each answer that is chosen: who scrolls on stays there. */
export type Reveal = (mark: HTMLElement, answer: Answer) => void;

/** @param frame  what scrolls; the page scrolls too where the frame is out of sight */
export function useReveal(frame: RefObject<HTMLElement | null>): Reveal {
  const revealed = useRef<Answer | null>(null);
  return useCallback(
    (mark, answer) => {
      if (revealed.current === answer || !frame.current) return;
      revealed.current = answer;
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
