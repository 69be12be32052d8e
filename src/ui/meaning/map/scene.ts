import { paintPoints, type Pixels, type Stamp, stampOf } from '../../../state/meaning/map/paint.ts';
import { type MapView, pixelsOf, type Size, wholeView } from '../../../state/meaning/map/view.ts';
import { placeLabels } from './labels.ts';
import { drawMarks, type Marks } from './marks.ts';
import { faded, type Palette } from './palette.ts';

/** What is drawn. */
export interface SceneContent {
  /** `[texts, 2]` */
  readonly points: Float32Array;
  /** `[texts]` */
  readonly hues: Uint8Array;
  /** Points that are told from the others; none: all are. */
  readonly chosen: readonly number[];
  /** Where each label stands on the plane, in the order of the elements of the layer of labels. */
  readonly anchors: readonly (readonly [x: number, y: number])[];
}

/** The elements that are drawn into. */
export interface SceneLayers {
  readonly points: HTMLCanvasElement;
  readonly marks: HTMLCanvasElement;
  readonly labels: HTMLElement;
}

/** A map on the screen, drawn at most once for each frame. */
export interface Scene {
  show(content: SceneContent, palette: Palette): void;
  mark(marks: Marks): void;
  resize(size: Size, density: number): void;
  see(change: (view: MapView, size: Size) => MapView): void;
  /** Where the points stand, in pixels of the page, `[texts, 2]`. */
  places(): Float32Array;
  view(): MapView;
  end(): void;
}

const NO_MARKS: Marks = { active: null, neighbours: [], line: [] };

/** An empty scene. */
export function createScene(layers: SceneLayers): Scene {
  let size: Size = { width: 1, height: 1 };
  let density = 1;
  let view: MapView = wholeView(size);
  let content: SceneContent | null = null;
  let palette: Palette | null = null;
  let marks = NO_MARKS;
  let places: Float32Array = new Float32Array(0);
  let colours: Uint32Array = new Uint32Array(0);
  let order: Uint32Array | undefined;
  let frame = 0;
  const canvas = createPixelCanvas(layers.points);
  const draw = () => {
    frame = 0;
    if (!content || !palette) return;
    places = pixelsOf(content.points, view, size, places);
    const device = density === 1 ? places : places.map((value) => value * density);
    canvas.paint(palette.background, { places: device, colours, ...(order && { order }) }, stampFor(content, density));
    placeLabels(layers.labels, content.anchors, view, size);
    drawMarks(layers.marks, { places, marks, size, density, ink: palette.ink });
  };
  const later = () => {
    frame ||= requestAnimationFrame(draw);
  };
  return {
    show(next, inColours) {
      [content, palette] = [next, inColours];
      ({ colours, order } = colouredOf(next, inColours));
      later();
    },
    mark(next) {
      marks = next;
      later();
    },
    resize(next, nextDensity) {
      const isWhole = view.scale === wholeView(size).scale;
      [size, density] = [next, nextDensity];
      if (isWhole) view = { ...view, scale: wholeView(size).scale };
      canvas.resize(size, density);
      layers.marks.width = Math.round(size.width * density);
      layers.marks.height = Math.round(size.height * density);
      later();
    },
    see(change) {
      view = change(view, size);
      later();
    },
    places: () => places,
    view: () => view,
    end: () => cancelAnimationFrame(frame),
  };
}

/** A canvas whose pixels are written directly. */
function createPixelCanvas(canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d', { alpha: false });
  let image: ImageData | null = null;
  let pixels: Pixels = { width: 0, height: 0, values: new Uint32Array(0) };
  return {
    resize({ width, height }: Size, density: number) {
      canvas.width = Math.max(1, Math.round(width * density));
      canvas.height = Math.max(1, Math.round(height * density));
      image = new ImageData(canvas.width, canvas.height);
      pixels = { width: canvas.width, height: canvas.height, values: new Uint32Array(image.data.buffer) };
    },
    paint(background: number, points: Parameters<typeof paintPoints>[2], stamp: Stamp) {
      if (!image) return;
      paintPoints(pixels, background, points, stamp);
      context?.putImageData(image, 0, 0);
    },
  };
}

/** Many points are small ones. */
function stampFor({ hues }: SceneContent, density: number): Stamp {
  const radius = hues.length < 200 ? 5 : hues.length < 2000 ? 3.5 : 2;
  return stampOf(radius * density);
}

/** Colour of each point, and, where some are chosen, an order with these on top. */
function colouredOf({ hues, chosen }: SceneContent, { hues: own, background }: Palette) {
  const colours = Uint32Array.from(hues, (hue) => own[hue] ?? 0);
  if (chosen.length === 0) return { colours, order: undefined };
  const isChosen = new Set(chosen);
  for (const point of colours.keys()) if (!isChosen.has(point)) colours[point] = faded(colours[point] ?? 0, background);
  const others = [...colours.keys()].filter((point) => !isChosen.has(point));
  return { colours, order: Uint32Array.from([...others, ...chosen]) };
}
