import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { polygonContains } from 'd3-polygon';
import { type Colouring, hueStyle } from './colouring.ts';
import { panned, showing, wholeView, zoomed } from './view.ts';
import type { DrawnMap } from '../view-stores.ts';
import { createScene, paletteOf, type Scene } from './scene.ts';
import { useMeaning, useMeaningStores } from '../meaning-stores.ts';
import { meaningMapWords } from '../words.en.ts';
import styles from './map-view.module.css';
import { byPlace } from '../../../parts/by-place.ts';

type Point = readonly [x: number, y: number];

interface MapCanvasProps {
  readonly drawn: DrawnMap;
  readonly colouring: Colouring;
  readonly isLasso: boolean;
  /** Called with the scene when it has been created, and with null when it ends. */
  readonly onScene: (scene: Scene | null) => void;
}

/** Most device pixels per CSS pixel: more are not visible and take time. */
const MAX_DENSITY = 2;

/** The map with points, labels of groups, and marks. */
export function MapCanvas(props: MapCanvasProps) {
  const { drawn, colouring } = props;
  const words = meaningMapWords();
  const frame = useRef<HTMLDivElement>(null);
  const points = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLDivElement>(null);
  const scene = useScene(frame, { points, marks, labels }, props);
  const active = useMeaning('selection', (state) => state.active);
  const chosen = useHighlighted();
  const neighbours = useMeaning('neighbours', (state) => state.list);
  const middles = useMemo(
    () => (colouring.entries.length > 1 ? middlesOf(drawn.points, colouring) : []),
    [drawn.points, colouring],
  );
  useEffect(() => {
    const paint = () => {
      if (!frame.current) return;
      const { hues } = colouring;
      scene.current?.show({ points: drawn.points, hues, chosen, anchors: middles }, paletteOf(frame.current));
    };
    paint();
    const changes = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query)); // paper is light
    for (const change of changes) change.addEventListener('change', paint);
    const theme = new MutationObserver(paint); // the palette is read from the styles
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      for (const change of changes) change.removeEventListener('change', paint);
      theme.disconnect();
    };
  }, [scene, drawn.points, colouring, chosen, middles]);
  useEffect(() => {
    scene.current?.mark({ active, neighbours: neighbours.map(({ index }) => index), line: [] });
  }, [scene, active, neighbours]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- WAI-ARIA 1.2 has `application` for keys that follow no widget's pattern: arrow keys move between points that are in no row or column; the rule does not count it as interactive
    <div
      ref={frame}
      className={styles.frame}
      role="application"
      aria-label={words.canvas(drawn.points.length / 2)}
      aria-describedby="map-keys"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus an `application` gets no keys (WCAG 2.1.1); the rule does not count it as interactive
      tabIndex={0}
      data-testid="map"
      data-method={drawn.method}
      onKeyDown={useKeys(drawn.points, scene)}
    >
      <canvas ref={points} className={styles.canvas} />
      <canvas ref={marks} className={styles.canvas} />
      <div ref={labels} className={styles.labels} aria-hidden>
        {byPlace(middles.length > 0 ? colouring.entries : [], ({ hue, label }) => (
          <span style={{ borderColor: hueStyle(hue) }}>{label}</span>
        ))}
      </div>
    </div>
  );
}

/** The chosen texts; where none are, what a search has found, without weak matches. */
function useHighlighted(): readonly number[] {
  const chosen = useMeaning('selection', (state) => state.chosen);
  const hits = useMeaning('search', ({ found }) => found?.hits);
  return useMemo(() => {
    if (chosen.length > 0 || !hits) return chosen;
    return hits.filter((hit) => !hit.isWeak).map(({ index }) => index);
  }, [chosen, hits]);
}

type Ref<Element> = { readonly current: Element | null };

function useScene(
  frame: Ref<HTMLElement>,
  layers: {
    readonly points: Ref<HTMLCanvasElement>;
    readonly marks: Ref<HTMLCanvasElement>;
    readonly labels: Ref<HTMLElement>;
  },
  { isLasso, onScene }: MapCanvasProps,
) {
  const scene = useRef<Scene>(null);
  const { selection } = useMeaningStores();
  const drawsLasso = useEffectEvent(() => isLasso);
  const report = useEffectEvent(onScene);
  useEffect(() => {
    const [element, points, marks, labels] = [
      frame.current,
      layers.points.current,
      layers.marks.current,
      layers.labels.current,
    ];
    if (!element || !points || !marks || !labels) return undefined;
    const made = createScene({ points, marks, labels });
    scene.current = made;
    const fit = () =>
      made.resize(
        { width: element.clientWidth, height: element.clientHeight },
        Math.min(MAX_DENSITY, devicePixelRatio),
      );
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    const stop = listenToGestures(element, made, selection, drawsLasso);
    report(made);
    return () => {
      report(null);
      stop();
      observer.disconnect();
      made.end();
    };
  }, [frame, layers.points, layers.marks, layers.labels, selection]);
  return scene;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const ZOOMS: Readonly<Record<string, number>> = { '+': 1.3, '=': 1.3, '-': 1 / 1.3 };

/** Arrow keys move to the nearest text in a direction; + and − zoom, 0 shows all, Enter chooses, Escape clears the choice. */
function useKeys(points: Float32Array, scene: Ref<Scene>) {
  const { selection } = useMeaningStores();
  const move = (direction: Direction) => {
    const { active, activate } = selection.getState();
    const next = active === null ? 0 : pointTowards(points, active, direction);
    activate(next);
    scene.current?.see((view, size) => showing(view, [points[2 * next] ?? 0, points[2 * next + 1] ?? 0], size));
  };
  const toggle = () => {
    const { active, chosen, choose } = selection.getState();
    if (active !== null) choose(chosen.includes(active) ? chosen.filter((one) => one !== active) : [...chosen, active]);
  };
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [direction, zoom] = [ARROWS[event.key], ZOOMS[event.key]];
    if (direction) move(direction);
    else if (zoom)
      scene.current?.see((view, size) => zoomed(view, zoom, { x: size.width / 2, y: size.height / 2 }, size));
    else if (event.key === '0') scene.current?.see((_, size) => wholeView(size));
    else if (event.key === 'Enter') toggle();
    else if (event.key === 'Escape') selection.getState().choose([]);
    else return;
    event.preventDefault();
  };
}

type Direction = 'left' | 'right' | 'up' | 'down';

/** Index of the point nearest to a pixel; null if none is within `reach` pixels. */
export function pointAt(pixels: Float32Array, x: number, y: number, reach: number): number | null {
  let [best, found] = [reach * reach, -1];
  for (let at = 0; at + 1 < pixels.length; at += 2) {
    const distance = ((pixels[at] ?? 0) - x) ** 2 + ((pixels[at + 1] ?? 0) - y) ** 2;
    if (distance < best) [best, found] = [distance, at / 2];
  }
  return found < 0 ? null : found;
}

/** The nearest point within 45 degrees, the angle penalised; else the same. @param points `[points, 2]`, y upwards */
export function pointTowards(points: Float32Array, from: number, direction: Direction): number {
  const [x, y] = [points[2 * from] ?? 0, points[2 * from + 1] ?? 0];
  let [best, found] = [Infinity, from];
  for (let point = 0; point < points.length / 2; point++) {
    const [ahead, aside] = turned((points[2 * point] ?? 0) - x, (points[2 * point + 1] ?? 0) - y, direction);
    if (point === from || ahead <= 0 || aside > ahead) continue;
    const distance = ahead + 2 * aside;
    if (distance < best) [best, found] = [distance, point];
  }
  return found;
}

function turned(x: number, y: number, direction: Direction): readonly [ahead: number, aside: number] {
  if (direction === 'left' || direction === 'right') return [direction === 'right' ? x : -x, Math.abs(y)];
  return [direction === 'up' ? y : -y, Math.abs(x)];
}

/** Indices of the points inside a hand-drawn line, which is closed by a straight segment. */
export function pointsInside(pixels: Float32Array, line: readonly Point[]): number[] {
  if (line.length < 3) return [];
  const polygon = line.map(([x, y]): [number, number] => [x, y]);
  const xs = line.map(([x]) => x);
  const ys = line.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const inside: number[] = [];
  for (let at = 0; at + 1 < pixels.length; at += 2) {
    const [x, y] = [pixels[at] ?? 0, pixels[at + 1] ?? 0];
    if (x < left || x > right || y < top || y > bottom) continue;
    if (polygonContains(polygon, [x, y])) inside.push(at / 2);
  }
  return inside;
}

/** The middle of the points of each entry, `[entries]`: the median on each axis, so that outliers do not move it. */
export function middlesOf(points: Float32Array, { hues, entries }: Colouring): [x: number, y: number][] {
  return entries.map(({ hue }) => {
    const members = [...hues.keys()].filter((point) => hues[point] === hue);
    const along = (axis: 0 | 1) => median(members.map((point) => points[2 * point + axis] ?? 0));
    return [along(0), along(1)];
  });
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

type Selection = ReturnType<typeof useMeaningStores>['selection'];

/** Greatest distance between the pointer and the text under it, pixels. */
const REACH = 12;
/** Greatest movement of a click, pixels. */
const MAX_CLICK_MOVE = 4;
const WHEEL_ZOOM = 0.0015;

/** Drags move the map or draw the lasso; two fingers and the wheel zoom. @returns a function that stops listening */
function listenToGestures(
  element: HTMLElement,
  scene: Scene,
  selection: Selection,
  drawsLasso: () => boolean,
): () => void {
  const { activate, choose } = selection.getState();
  const pointers = new Map<number, Point>();
  const stopped = new AbortController();
  let line: Point[] | null = null;
  let moved = 0;
  const { signal } = stopped;
  const drawLine = (points: readonly Point[]) => scene.mark({ active: null, neighbours: [], line: points });
  const drag = (event: PointerEvent, before: Point, position: Point) => {
    const [byX, byY] = [position[0] - before[0], position[1] - before[1]];
    moved += Math.hypot(byX, byY);
    if (line) {
      line.push(position);
      return drawLine(line);
    }
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return scene.see((view) => panned(view, byX, byY));
    const factor = distance(position, other) / Math.max(1, distance(before, other));
    const at = { x: (position[0] + other[0]) / 2, y: (position[1] + other[1]) / 2 };
    scene.see((view, size) => panned(zoomed(view, factor, at, size), byX / 2, byY / 2));
  };
  const start = (event: PointerEvent) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, positionIn(element, event));
    moved = 0;
    line = pointers.size === 1 && (drawsLasso() || event.shiftKey) ? [positionIn(element, event)] : null;
  };
  const move = (event: PointerEvent) => {
    const [before, position] = [pointers.get(event.pointerId), positionIn(element, event)];
    if (before) {
      pointers.set(event.pointerId, position);
      return drag(event, before, position);
    }
    const point = pointAt(scene.positions(), ...position, REACH);
    if (point !== null && point !== selection.getState().active) activate(point);
  };
  const end = (event: PointerEvent) => {
    const position = positionIn(element, event);
    pointers.delete(event.pointerId);
    if (line && moved > MAX_CLICK_MOVE) choose(pointsInside(scene.positions(), line));
    else if (moved <= MAX_CLICK_MOVE && event.type === 'pointerup') {
      const point = pointAt(scene.positions(), ...position, REACH);
      if (point !== null) activate(point);
    }
    if (line) drawLine([]);
    line = null;
  };
  element.addEventListener('pointerdown', start, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', end, { signal });
  element.addEventListener('pointercancel', end, { signal });
  element.addEventListener('wheel', (event) => zoomByWheel(event, element, scene), { signal, passive: false });
  return () => stopped.abort();
}

function zoomByWheel(event: WheelEvent, element: HTMLElement, scene: Scene): void {
  // Scrolling the page past the map must not zoom it.
  if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
  event.preventDefault();
  const [x, y] = positionIn(element, event);
  scene.see((view, size) => zoomed(view, Math.exp(-event.deltaY * WHEEL_ZOOM), { x, y }, size));
}

/** Pixels from the corner of the element. */
function positionIn(element: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
