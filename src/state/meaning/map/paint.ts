import type { Size } from './view.ts';

/** A picture of pixels as canvases have them: red, green, blue, alpha, a byte each, in the order of the machine. */
export interface Pixels extends Size {
  /** `[height, width]` */
  readonly values: Uint32Array;
}

/** A disc that is stamped for each point. */
export interface Stamp {
  /** Pixels from its middle to its edge. */
  readonly reach: number;
  /** How much of each pixel the disc covers, 0 to 255, `[2 reach + 1, 2 reach + 1]`. */
  readonly cover: Uint8Array;
}

/** A disc with a soft edge. @param radius in pixels */
export function stampOf(radius: number): Stamp {
  const reach = Math.ceil(radius);
  const side = 2 * reach + 1;
  const cover = Uint8Array.from({ length: side * side }, (_, at) => {
    const distance = Math.hypot((at % side) - reach, Math.floor(at / side) - reach);
    return Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - distance)));
  });
  return { reach, cover };
}

/** What is painted where. */
export interface Points {
  /** Pixels, `[points, 2]`. */
  readonly places: Float32Array;
  /** Colour of each point, as `Pixels` keeps it. */
  readonly colours: Uint32Array;
  /** Order of painting, last on top. Default: as they come. */
  readonly order?: Uint32Array;
}

/** Fills the picture and stamps each point, those outside left out. The work grows with points and their size, not with the picture. */
export function paintPoints(
  pixels: Pixels,
  background: number,
  { places, colours, order }: Points,
  stamp: Stamp,
): void {
  const { values, width, height } = pixels;
  values.fill(background);
  const { reach, cover } = stamp;
  const side = 2 * reach + 1;
  const count = order?.length ?? colours.length;
  for (let nth = 0; nth < count; nth++) {
    const point = order ? (order[nth] ?? 0) : nth;
    const left = Math.round(places[2 * point] ?? 0) - reach;
    const top = Math.round(places[2 * point + 1] ?? 0) - reach;
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

/** One colour over another, two channels at a time; both opaque. */
function mixed(below: number, above: number, share: number): number {
  const rest = 255 - share;
  const even = (((above & 0xff00ff) * share + (below & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const odd = (((above >>> 8) & 0xff) * share + ((below >>> 8) & 0xff) * rest) & 0xff00;
  return (0xff000000 | even | odd) >>> 0;
}
