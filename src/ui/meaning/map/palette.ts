import { HUES } from '../../../state/meaning/map/colouring.ts';

/** Colours of a drawing, as canvases keep them in numbers, and as styles name them. */
export interface Palette {
  /** `[HUES + 1]`: of groups, and of what is in none. */
  readonly hues: Uint32Array;
  readonly background: number;
  readonly ink: string;
}

/** Name of a hue's colour in the style sheets. */
export function hueStyle(hue: number): string {
  return `var(--group-${hue})`;
}

/** The page's colours as they are now: themes change them. */
export function paletteOf(host: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.style.transition = 'none'; // a colour on its way is read as the one before it
  probe.style.forcedColorAdjust = 'none'; // the reader's one colour for all text would hide the points
  host.append(probe);
  const read = (colour: string) => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const hues = Uint32Array.from({ length: HUES + 1 }, (_, hue) => numberOf(read(hueStyle(hue))));
  const palette = { hues, background: numberOf(read('var(--sunken)')), ink: read('var(--ink)') };
  probe.remove();
  return palette;
}

/** `rgb(1, 2, 3)` as canvases keep it: alpha, blue, green, red from the highest byte down. */
function numberOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** A colour with most of another one in it. */
export function faded(colour: number, background: number): number {
  const channel = (shift: number) =>
    Math.round(0.22 * ((colour >>> shift) & 255) + 0.78 * ((background >>> shift) & 255)) << shift;
  return ((255 << 24) | channel(16) | channel(8) | channel(0)) >>> 0;
}
