import { placeLabels } from './labels.ts';
import { HUES, hueStyle, STEPS } from './colouring.ts';
import { type MapViewport, PILE_LEVELS, pileLevels, pileScale, pixelsOf, type Size, wholeView } from './view.ts';

type Point = readonly [x: number, y: number];

interface SceneContent {
  /** `[texts, 2]` */
  readonly points: Float32Array;
  /** `[texts]` */
  readonly hues: Uint8Array;
  /** Indices of highlighted points; empty: all have full colours. */
  readonly chosen: readonly number[];
  /** Position of each label on the plane, in the order of the elements in the layer of labels. */
  readonly anchors: readonly Point[];
}

interface Marks {
  /** Index of a text; null: none. */
  readonly active: number | null;
  /** Indices of the texts nearest to it. */
  readonly neighbours: readonly number[];
  /** The line of an unfinished lasso, in pixels. */
  readonly line: readonly Point[];
}

/** A map on the screen, drawn at most once per frame. */
export type Scene = ReturnType<typeof createScene>;

const NO_MARKS: Marks = { active: null, neighbours: [], line: [] };

/** An empty scene; it draws into these elements. */
export function createScene(layers: {
  readonly points: HTMLCanvasElement;
  readonly marks: HTMLCanvasElement;
  readonly labels: HTMLElement;
}) {
  let size: Size = { width: 1, height: 1 };
  let density = 1;
  let view: MapViewport = wholeView(size);
  let content: SceneContent | null = null;
  let palette: Palette | null = null;
  let marks = NO_MARKS;
  let positions: Float32Array = new Float32Array(0);
  let colours: Uint32Array = new Uint32Array(0);
  let order: Uint32Array | undefined;
  let frame = 0;
  const canvas = createPixelCanvas(layers.points);
  const draw = () => {
    frame = 0;
    if (!content || !palette) return;
    positions = pixelsOf(content.points, view, size, positions);
    const device = density === 1 ? positions : positions.map((value) => value * density);
    const { levels, radii, stamps } = pilesOf(content, positions, density);
    canvas.paint(palette.background, { positions: device, colours, levels, ...(order && { order }) }, stamps);
    const middles = pixelsOf(Float32Array.from(content.anchors.flat()), view, size);
    placeLabels(layers.labels, middles, { positions, radii }, size);
    drawMarks(layers.marks, positions, marks, size, density, palette.ink);
  };
  const requestDraw = () => {
    frame ||= requestAnimationFrame(draw);
  };
  return {
    show(nextContent: SceneContent, nextPalette: Palette) {
      [content, palette] = [nextContent, nextPalette];
      ({ colours, order } = colouredOf(nextContent, nextPalette));
      requestDraw();
    },
    mark(next: Marks) {
      marks = next;
      requestDraw();
    },
    resize(next: Size, nextDensity: number) {
      const isWhole = view.scale === wholeView(size).scale;
      [size, density] = [next, nextDensity];
      if (isWhole) view = { ...view, scale: wholeView(size).scale };
      canvas.resize(size, density);
      layers.marks.width = Math.round(size.width * density);
      layers.marks.height = Math.round(size.height * density);
      requestDraw();
    },
    see(change: (view: MapViewport, size: Size) => MapViewport) {
      view = change(view, size);
      requestDraw();
    },
    /** Positions of the points in CSS pixels, `[texts, 2]`. */
    positions: () => positions,
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
    paint(background: number, points: Parameters<typeof paintPoints>[2], stamps: readonly Stamp[]) {
      if (!image) return;
      paintPoints(pixels, background, points, stamps);
      context?.putImageData(image, 0, 0);
    },
  };
}

/** Level and radius of each point, the latter in CSS pixels, and the stamp of each level. The more points, the smaller. */
function pilesOf({ hues }: SceneContent, positions: Float32Array, density: number) {
  const radius = hues.length < 200 ? 5 : hues.length < 2000 ? 3.5 : 2;
  const levels = pileLevels(positions, radius);
  const radii = Float32Array.from(levels, (level) => radius * pileScale(level));
  const stamps = Array.from({ length: PILE_LEVELS }, (_, level) => stampOf(radius * pileScale(level) * density));
  return { levels, radii, stamps };
}

/** Colour of each point, and an order with the chosen points on top. */
function colouredOf({ hues, chosen }: SceneContent, palette: Palette) {
  const colours = Uint32Array.from(hues, (hue) => palette.hues[hue] ?? 0);
  if (chosen.length === 0) return { colours, order: undefined };
  const isChosen = new Set(chosen);
  for (const point of colours.keys())
    if (!isChosen.has(point)) colours[point] = faded(colours[point] ?? 0, palette.background);
  const others = [...colours.keys()].filter((point) => !isChosen.has(point));
  return { colours, order: Uint32Array.from([...others, ...chosen]) };
}

/** An image in the format of canvases: red, green, blue, alpha, a byte each, in the byte order of the machine. */
interface Pixels extends Size {
  /** `[height, width]` */
  readonly values: Uint32Array;
}

type Stamp = ReturnType<typeof stampOf>;

/**
 * A disc with a soft edge: `reach`, pixels from its middle to its edge, and `cover` of each pixel, 0 to 255,
 * `[2 reach + 1, 2 reach + 1]`.
 *
 * @param radius  in pixels
 */
export function stampOf(radius: number) {
  const reach = Math.ceil(radius);
  const side = 2 * reach + 1;
  const cover = Uint8Array.from({ length: side * side }, (_, at) => {
    const distance = Math.hypot((at % side) - reach, Math.floor(at / side) - reach);
    return Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - distance)));
  });
  return { reach, cover };
}

/**
 * Fills the image and draws at each point that is inside the stamp of its level. The work grows with the points and their
 * size, not with the image. `positions`: pixels, `[points, 2]`; `levels`: places in `stamps`; `order`: of painting, the last on top.
 */
export function paintPoints(
  pixels: Pixels,
  background: number,
  {
    positions,
    colours,
    levels,
    order,
  }: {
    readonly positions: Float32Array;
    readonly colours: Uint32Array;
    readonly levels: Uint8Array;
    readonly order?: Uint32Array;
  },
  stamps: readonly Stamp[],
): void {
  const { values, width, height } = pixels;
  values.fill(background);
  const count = order?.length ?? colours.length;
  for (let nth = 0; nth < count; nth++) {
    const point = order ? (order[nth] ?? 0) : nth;
    const stamp = stamps[levels[point] ?? 0];
    if (!stamp) continue;
    const { reach, cover } = stamp;
    const side = 2 * reach + 1;
    const left = Math.round(positions[2 * point] ?? 0) - reach;
    const top = Math.round(positions[2 * point + 1] ?? 0) - reach;
    if (left < 0 || top < 0 || left + side > width || top + side > height) continue;
    const colour = colours[point] ?? 0;
    for (let y = 0, from = 0; y < side; y++) {
      let to = (top + y) * width + left;
      for (let x = 0; x < side; x++, from++, to++) {
        const share = cover[from] ?? 0;
        if (share === 255) values[to] = colour;
        else if (share > 0) values[to] = mixed(values[to] ?? 0, colour, share);
      }
    }
  }
}

/** Blends two opaque colours, two channels at a time. */
function mixed(below: number, above: number, share: number): number {
  const rest = 255 - share;
  const even = (((above & 0xff00ff) * share + (below & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const odd = (((above >>> 8) & 0xff) * share + ((below >>> 8) & 0xff) * rest) & 0xff00;
  return (0xff000000 | even | odd) >>> 0;
}

/** A ring around the active text, lines to its neighbours, and the lasso. */
function drawMarks(
  canvas: HTMLCanvasElement,
  positions: Float32Array,
  { active, neighbours, line }: Marks,
  size: Size,
  density: number,
  ink: string,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  const at = (point: number) => [positions[2 * point] ?? 0, positions[2 * point + 1] ?? 0] as const;
  if (active !== null && 2 * active < positions.length) {
    const middle = at(active);
    for (const other of neighbours) drawLine(context, [middle, at(other)]);
    context.beginPath();
    context.arc(...middle, 8, 0, 2 * Math.PI);
    context.stroke();
  }
  if (line.length > 1) {
    context.setLineDash([5, 4]);
    drawLine(context, [...line, ...line.slice(0, 1)]);
    context.setLineDash([]);
  }
}

function drawLine(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

/** Colours of the page, those of pixels as numbers. */
interface Palette {
  /** `[HUES + 1 + STEPS]` */
  readonly hues: Uint32Array;
  readonly background: number;
  readonly ink: string;
}

/** The colours of the current theme. */
export function paletteOf(host: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.style.transition = 'none'; // during a transition the old colour would be read
  probe.style.forcedColorAdjust = 'none'; // otherwise all points would have the forced colour of text
  host.append(probe);
  const read = (colour: string) => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const hues = Uint32Array.from({ length: HUES + 1 + STEPS }, (_, hue) => numberOf(read(hueStyle(hue))));
  const palette = { hues, background: numberOf(read('var(--sunken)')), ink: read('var(--ink)') };
  probe.remove();
  return palette;
}

/** `rgb(1, 2, 3)` as a pixel: alpha, blue, green, red from the highest byte down. */
function numberOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function faded(colour: number, background: number): number {
  const channel = (shift: number) =>
    Math.round(0.22 * ((colour >>> shift) & 255) + 0.78 * ((background >>> shift) & 255)) << shift;
  return ((255 << 24) | channel(16) | channel(8) | channel(0)) >>> 0;
}
