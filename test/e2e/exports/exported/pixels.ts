import type { Page } from '@playwright/test';

/** Red, green and blue, 0 … 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A colour of a style sheet, in any notation, as it comes out on the screen. */
export async function colourOf(page: Page, css: string): Promise<Rgb> {
  return page.evaluate((colour) => {
    const drawing = new OffscreenCanvas(1, 1).getContext('2d');
    if (!drawing) throw new Error('expected a canvas');
    drawing.fillStyle = colour;
    drawing.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = drawing.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  }, css);
}

/** A place of a figure, points. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Colours of a picture at places of the figure that it shows, with `scale` pixels for each point. */
export async function coloursIn(
  page: Page,
  source: string,
  { places, scale }: { places: readonly Place[]; scale: number },
): Promise<Rgb[]> {
  return page.evaluate(
    async ([href, points, factor]) => {
      const image = Object.assign(new Image(), { src: href });
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const drawing = canvas.getContext('2d');
      if (!drawing) throw new Error('expected a canvas');
      drawing.drawImage(image, 0, 0);
      return points.map(({ x, y }): Rgb => {
        const [red = 0, green = 0, blue = 0] = drawing.getImageData(x * factor, y * factor, 1, 1).data;
        return [red, green, blue];
      });
    },
    [source, places, scale] as const,
  );
}

/** Rounding differs by one step between the ways to a colour. */
const ROUNDING = 2;

/** Whether two colours are the same to the eye and to all but the last digit. */
export function isAlike(a: Rgb | undefined, b: Rgb | undefined): boolean {
  return a !== undefined && b !== undefined && a.every((value, index) => Math.abs(value - (b[index] ?? 0)) <= ROUNDING);
}

/** Pixels that are compared as one: programs place a letter within a pixel of each other. */
const BLOCK = 8;

/**
 * Mean difference of two pictures of one size, 0 … 255 for each channel of a block of pixels; `Infinity` where their sizes
 * differ by more than half a block: a browser's page has a size in steps of 0.24 points.
 */
export async function differenceOf(page: Page, sources: readonly [string, string]): Promise<number> {
  return page.evaluate(
    async ([hrefs, block]) => {
      const pixels = async (href: string) => {
        const image = Object.assign(new Image(), { src: href });
        await image.decode();
        const [width, height] = [Math.round(image.width / block), Math.round(image.height / block)];
        const drawing = new OffscreenCanvas(width, height).getContext('2d');
        if (!drawing) throw new Error('expected a canvas');
        drawing.imageSmoothingQuality = 'high';
        drawing.drawImage(image, 0, 0, width, height);
        return drawing.getImageData(0, 0, width, height);
      };
      const [a, b] = [await pixels(hrefs[0]), await pixels(hrefs[1])];
      if (a.width !== b.width || a.height !== b.height) return Infinity;
      return a.data.reduce((sum, value, at) => sum + Math.abs(value - (b.data[at] ?? 0)), 0) / a.data.length;
    },
    [sources, BLOCK] as const,
  );
}

/** Width and height of a PNG file, pixels. */
export function pictureSize(png: Buffer): [number, number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
