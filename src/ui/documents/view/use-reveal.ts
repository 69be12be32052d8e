import { type RefObject, useCallback, useRef } from 'react';
import type { Answer } from '../../../state/documents/answers.ts';

/** Brings the mark of an answer into sight, once for each answer that is chosen and each width: who scrolls on stays there. */
export type Reveal = (mark: HTMLElement, answer: Answer) => void;

/** @param frame  what scrolls; the page scrolls too where the frame is out of sight */
export function useReveal(frame: RefObject<HTMLElement | null>): Reveal {
  const revealed = useRef<{ readonly answer: Answer; readonly width: number } | null>(null);
  return useCallback(
    (mark, answer) => {
      const around = frame.current;
      if (!around) return;
      const width = around.clientWidth; // another one moves all lines
      if (revealed.current?.answer === answer && revealed.current.width === width) return;
      revealed.current = { answer, width };
      centre(mark, around);
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
