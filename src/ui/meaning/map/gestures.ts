import { panned, zoomed } from '../../../state/meaning/map/view.ts';
import { pointAt, pointsInside } from '../../../state/meaning/map/places.ts';
import type { Scene } from './scene.ts';

/** What gestures on a map mean. */
export interface GestureActions {
  /** The pointer is over a text, or over none. */
  hover(point: number | null): void;
  /** A text was clicked. */
  click(point: number): void;
  /** The lasso's line so far; empty once it has ended. */
  draw(line: readonly (readonly [x: number, y: number])[]): void;
  /** The texts inside the lasso. */
  choose(points: readonly number[]): void;
  /** Whether a drag draws the lasso. */
  isLasso(): boolean;
}

/** Pixels from a text within which a pointer means it. */
const REACH = 12;
/** Pixels that a pointer may move and still click. */
const STILL = 4;
const WHEEL_ZOOM = 0.0015;

/** Drags move or draw, two fingers and the wheel zoom. @returns ends listening */
export function listenToGestures(element: HTMLElement, scene: Scene, actions: GestureActions): () => void {
  const pointers = new Map<number, readonly [x: number, y: number]>();
  const listening = new AbortController();
  let line: (readonly [x: number, y: number])[] | null = null;
  let moved = 0;
  const placeOf = (event: MouseEvent) => placeIn(element, event);
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
    options: AddEventListenerOptions = {},
  ) => element.addEventListener(name, act, { ...options, signal: listening.signal });
  const drag = (event: PointerEvent, before: readonly [number, number], place: readonly [number, number]) => {
    const [byX, byY] = [place[0] - before[0], place[1] - before[1]];
    moved += Math.hypot(byX, byY);
    if (line) {
      line.push(place);
      return actions.draw(line);
    }
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return scene.see((view) => panned(view, byX, byY));
    const factor = distance(place, other) / Math.max(1, distance(before, other));
    const at = { x: (place[0] + other[0]) / 2, y: (place[1] + other[1]) / 2 };
    scene.see((view, size) => panned(zoomed(view, factor, at, size), byX / 2, byY / 2));
  };
  listen('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, placeOf(event));
    moved = 0;
    line = pointers.size === 1 && (actions.isLasso() || event.shiftKey) ? [placeOf(event)] : null;
  });
  listen('pointermove', (event) => {
    const [before, place] = [pointers.get(event.pointerId), placeOf(event)];
    if (!before) return actions.hover(pointAt(scene.places(), ...place, REACH));
    pointers.set(event.pointerId, place);
    drag(event, before, place);
  });
  const end = (event: PointerEvent) => {
    const place = placeOf(event);
    pointers.delete(event.pointerId);
    if (line && moved > STILL) actions.choose(pointsInside(scene.places(), line));
    else if (moved <= STILL && event.type === 'pointerup') {
      const point = pointAt(scene.places(), ...place, REACH);
      if (point !== null) actions.click(point);
    }
    if (line) actions.draw([]);
    line = null;
  };
  listen('pointerup', end);
  listen('pointercancel', end);
  const wheel = (event: WheelEvent) => {
    // A page that is scrolled past the map must not stop at it.
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
    event.preventDefault();
    const [x, y] = placeOf(event);
    scene.see((view, size) => zoomed(view, Math.exp(-event.deltaY * WHEEL_ZOOM), { x, y }, size));
  };
  listen('wheel', wheel, { passive: false });
  return () => listening.abort();
}

/** Pixels from the corner of the element. */
function placeIn(element: HTMLElement, { clientX, clientY }: MouseEvent): readonly [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
