import { type RefObject, useCallback, useRef } from 'react';
import type { Answer } from '../../../state/documents/answers.ts';

/** Brings the mark of an answer into sight, once for each answer that is chosen and each width: who scrolls on stays there. */
export type Reveal = (mark: HTMLElement, answer: Answer) => void;

/** @param frame  what scrolls; the page scrolls too where the frame is out of sight */
export function useReveal(frame: RefObject<HTMLElement | null>): Reveal {
  const revealed = useRef<Revealed | null>(null);
  return useCallback((mark, answer) => bringIntoSight(mark, answer, { frame, revealed }), [frame]);
}

/** What was brought into sight last; another width moves all lines. */
interface Revealed {
  readonly answer: Answer;
  readonly width: number;
}

/** Where a mark is shown. */
interface Sight {
  readonly frame: RefObject<HTMLElement | null>;
  readonly revealed: RefObject<Revealed | null>;
}

function bringIntoSight(mark: HTMLElement, answer: Answer, { frame: { current: frame }, revealed }: Sight): void {
  if (!frame) return;
  const width = frame.clientWidth;
  if (revealed.current?.answer === answer && revealed.current.width === width) return;
  revealed.current = { answer, width };
  centre(mark, frame);
}

/** Scrolls within the frame only. */
function centre(mark: HTMLElement, frame: HTMLElement): void {
  const [inner, outer] = [mark.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  const isHidden = inner.left < outer.left || inner.right > outer.right;
  if (isHidden) frame.scrollLeft += inner.left - outer.left - outer.width / 4;
}
