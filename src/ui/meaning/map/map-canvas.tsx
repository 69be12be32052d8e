import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Colouring } from '../../../state/meaning/map/colouring.ts';
import type { DrawnMap, Groups } from '../../../state/meaning/map/map-store.ts';
import { type Direction, middlesOf, pointTowards } from '../../../state/meaning/map/places.ts';
import { showing, wholeView, zoomed } from '../../../state/meaning/map/view.ts';
import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { useStoreValue, useValueOf } from '../../use-stores.ts';
import { useRoom } from '../use-room.ts';
import { listenToGestures } from './gestures.ts';
import { paletteOf } from './palette.ts';
import { createScene, type Scene } from './scene.ts';
import styles from './map-view.module.css';

/** See `MapCanvas`. */
export interface MapCanvasProps {
  readonly drawn: DrawnMap;
  readonly groups: Groups | null;
  readonly colouring: Colouring;
  readonly isLasso: boolean;
  /** Given the scene once it is there, for the buttons beside it. */
  readonly onScene: (scene: Scene | null) => void;
}

/** More pixels for each of the page's than this are not told apart, and cost time. */
const MOST_DENSITY = 2;

/** The map itself: points, labels of groups, and what is marked. */
export function MapCanvas(props: MapCanvasProps) {
  const { drawn, groups, colouring } = props;
  const words = meaningMapWords();
  const frame = useRef<HTMLDivElement>(null);
  const [points, marks, labels] = [
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLDivElement>(null),
  ];
  const scene = useScene(frame, { points, marks, labels }, props);
  const { desk, neighbours } = useRoom();
  const { chosen, active } = useValueOf(desk, (state) => state);
  const near = useValueOf(neighbours, (state) => state.list);
  const theme = useStoreValue('theme', (state) => state.theme);
  const middles = useMiddles(drawn.points, groups);
  useEffect(() => {
    const paint = () => {
      if (!frame.current) return;
      const { hues } = colouring;
      scene.current?.show({ points: drawn.points, hues, chosen, anchors: middles }, paletteOf(frame.current));
    };
    paint();
    const changes = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query)); // paper is light
    for (const change of changes) change.addEventListener('change', paint);
    return () => {
      for (const change of changes) change.removeEventListener('change', paint);
    };
    // The theme changes the palette, which is read from the styles.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [scene, drawn.points, colouring, chosen, middles, theme]);
  useEffect(() => {
    scene.current?.mark({ active, neighbours: near.map(({ index }) => index), line: [] });
  }, [scene, active, near]);
  return (
    // An application of its own: arrow keys walk from text to text, which no other role does on a plane.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={frame}
      className={styles.frame}
      role="application"
      aria-label={words.canvas(drawn.points.length / 2)}
      aria-describedby="map-keys"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-testid="map"
      data-method={drawn.method}
      onKeyDown={useKeys(drawn.points, scene)}
    >
      <canvas ref={points} className={styles.canvas} />
      <canvas ref={marks} className={styles.canvas} />
      <div ref={labels} className={styles.labels} aria-hidden>
        {middles.map((_, group) => (
          // A group is its place.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={group}>{groups?.clusters[group]?.words.slice(0, 2).join(', ')}</span>
        ))}
      </div>
    </div>
  );
}

/** Where the name of each group stands; none while groups and points are not of the same texts. */
function useMiddles(points: DrawnMap['points'], groups: Groups | null) {
  return useMemo(() => {
    const count = groups && 2 * groups.labels.length === points.length ? groups.clusters.length : 0;
    return groups && count > 0 ? middlesOf(points, groups.labels, count) : [];
  }, [points, groups]);
}

type Held<Element> = { readonly current: Element | null };

interface HeldLayers {
  readonly points: Held<HTMLCanvasElement>;
  readonly marks: Held<HTMLCanvasElement>;
  readonly labels: Held<HTMLElement>;
}

/** A scene over the elements, as large as they are. */
function useScene(frame: Held<HTMLElement>, layers: HeldLayers, { isLasso, onScene }: MapCanvasProps) {
  const scene = useRef<Scene>(null);
  const { desk } = useRoom();
  const asksForLasso = useEffectEvent(() => isLasso);
  const hand = useEffectEvent(onScene);
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
        Math.min(MOST_DENSITY, devicePixelRatio),
      );
    fit();
    const watching = new ResizeObserver(fit);
    watching.observe(element);
    const { activate, choose } = desk.getState();
    const stop = listenToGestures(element, made, {
      hover: (point) => point !== null && point !== desk.getState().active && activate(point),
      click: activate,
      draw: (line) => made.mark({ active: null, neighbours: [], line: [...line] }),
      choose,
      isLasso: asksForLasso,
    });
    hand(made);
    return () => {
      hand(null);
      stop();
      watching.disconnect();
      made.end();
    };
  }, [frame, layers.points, layers.marks, layers.labels, desk]);
  return scene;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const ZOOMS: Readonly<Record<string, number>> = { '+': 1.3, '=': 1.3, '-': 1 / 1.3 };

/** Arrow keys go to the nearest text in a direction; + and − zoom, 0 shows all, Enter chooses, Escape forgets. */
function useKeys(points: Float32Array, scene: Held<Scene>) {
  const { desk } = useRoom();
  const walk = (direction: Direction) => {
    const { active, activate } = desk.getState();
    const next = active === null ? 0 : pointTowards(points, active, direction);
    activate(next);
    scene.current?.see((view, size) => showing(view, [points[2 * next] ?? 0, points[2 * next + 1] ?? 0], size));
  };
  const pick = () => {
    const { active, chosen, choose } = desk.getState();
    if (active !== null) choose(chosen.includes(active) ? chosen.filter((one) => one !== active) : [...chosen, active]);
  };
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [direction, zoom] = [ARROWS[event.key], ZOOMS[event.key]];
    if (direction) walk(direction);
    else if (zoom) scene.current?.see((view, size) => zoomed(view, zoom, middleOf(size), size));
    else if (event.key === '0') scene.current?.see((_, size) => wholeView(size));
    else if (event.key === 'Enter') pick();
    else if (event.key === 'Escape') desk.getState().choose([]);
    else return;
    event.preventDefault();
  };
}

function middleOf({ width, height }: { readonly width: number; readonly height: number }) {
  return { x: width / 2, y: height / 2 };
}
