/** Saves a file through the browser; nothing leaves the page. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A text as the content of a file. */
export function textFile(type: string, text: string): Blob {
  return new Blob([text], { type });
}

/** Properties that come from style sheets and must be copied into a saved drawing. */
const CARRIED = [
  'fill',
  'stroke',
  'stroke-width',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
] as const;

/** A drawing of the page as an SVG file, with the background that it has on the page. */
export function svgFile(drawing: SVGSVGElement): string {
  const copy = document.importNode(drawing, true);
  const originals = drawing.querySelectorAll('*');
  for (const [index, element] of [...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (!original) continue;
    const style = getComputedStyle(original);
    for (const name of CARRIED) element.setAttribute(name, style.getPropertyValue(name));
  }
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('style', `background: ${groundBelow(drawing)}`);
  return new XMLSerializer().serializeToString(copy);
}

function groundBelow(element: Element): string {
  for (let below: Element | null = element; below; below = below.parentElement) {
    const colour = getComputedStyle(below).backgroundColor;
    if (colour !== 'rgba(0, 0, 0, 0)') return colour;
  }
  return 'white';
}

/** Pixels for each pixel of the page, so that a print stays sharp. */
const PNG_SCALE = 2;

/**
 * The same drawing as a PNG file.
 *
 * @throws {DOMException} when the browser cannot decode the drawing
 */
export async function pngFile(drawing: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgFile(drawing))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * PNG_SCALE;
  canvas.height = image.height * PNG_SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new DOMException('empty drawing', 'EncodingError'))));
  });
}
