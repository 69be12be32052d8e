import { type RefObject, useEffect, useState } from 'react';

/** After the last change of its size an element counts as still, ms. */
const STILL_MS = 150;

/** Width of an element, CSS pixels; 0 before it is known. It follows changes once they have come to rest. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isKnown = false;
    const observer = new ResizeObserver(([entry]) => {
      const next = Math.floor(entry?.contentRect.width ?? 0);
      clearTimeout(timer);
      timer = setTimeout(setWidth, isKnown ? STILL_MS : 0, next);
      isKnown = true;
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element]);
  return width;
}
