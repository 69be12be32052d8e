import type { VectorFigure } from '../drawing/figure.ts';
import { imageOf } from './svg.ts';

const ID = 'printed-figure';

/**
 * Opens the browser's print dialog for a figure alone, on one page of its size. There it can be saved as PDF, whose letters are
 * those of the browser's fonts, which no script can read.
 *
 * @param name  that the dialog suggests for the file, without the ending
 * @throws {DOMException} when the browser cannot draw the figure
 */
export async function printFigure(figure: VectorFigure, name: string): Promise<void> {
  const image = Object.assign(await imageOf(figure), { id: ID, alt: figure.title });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(pageStyle(figure));
  const { title } = document;
  const restore = () => {
    image.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    if (document.title === name) document.title = title;
  };
  addEventListener('afterprint', restore, { once: true });
  document.getElementById(ID)?.remove(); // of a dialog that the browser did not open, as in a sandbox
  document.body.append(image);
  document.adoptedStyleSheets.push(sheet);
  document.title = name;
  print();
}

/** On paper, nothing but the figure; on the screen, everything but it. */
function pageStyle({ width, height }: VectorFigure): string {
  return `
    @page { size: ${width}pt ${height}pt; margin: 0; }
    @media print {
      body { margin: 0; min-height: 0; }
      body > :not(#${ID}) { display: none !important; }
      #${ID} { display: block; width: ${width}pt; height: ${height}pt; }
    }
    @media screen { #${ID} { display: none; } }`;
}
