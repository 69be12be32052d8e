/** A line of a page: its text in Helvetica, its left end and baseline in 72nds of an inch, the size of its letters. */
export interface PdfLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  readonly isBold?: boolean;
}

const WIDTH = 595;
const HEIGHT = 842;

/** A PDF of these pages, in the fonts that every reader has. */
export function pdfOf(pages: readonly (readonly PdfLine[])[], trailer = ''): Uint8Array<ArrayBuffer> {
  return rawPdf({ pages: pages.map((lines) => ({ content: lines.map(drawn).join('\n') })), trailer });
}

/** A page as the file has it. */
export interface RawPage {
  /** Operators; bytes as characters of Latin-1 where it is packed. */
  readonly content: string;
  /** Entries of the dictionary of its content, such as `/Filter /FlateDecode`. */
  readonly packing?: string;
  /** Further entries of its dictionary, such as `/Rotate 90`. */
  readonly entries?: string;
  /** Further entries of its resources, and of their fonts, besides F1 and F2. */
  readonly resources?: string;
  readonly fonts?: string;
}

interface RawPdf {
  readonly pages: readonly RawPage[];
  /** Further objects, from number 5 on: 1 is the catalog, 2 the tree of pages, 3 and 4 are Helvetica and its bold face. */
  readonly objects?: readonly string[];
  /** Further entries of the catalog and of the trailer. */
  readonly catalog?: string;
  readonly trailer?: string;
}

/** A PDF of objects. @source ISO 32000-1, sections 7.5 and 9.4 */
export function rawPdf({ pages, objects = [], catalog = '', trailer = '' }: RawPdf): Uint8Array<ArrayBuffer> {
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const first = 5 + objects.length;
  const kids = pages.map((_, i) => `${first + i * 2} 0 R`).join(' ');
  const pageObjects = pages.flatMap(({ content, packing = '', entries = '', resources = '', fonts = '' }, i) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${first + i * 2 + 1} 0 R ` +
      `/Resources << /Font << /F1 3 0 R /F2 4 0 R ${fonts} >> ${resources} >> ${entries} >>`,
    streamOf(content, packing),
  ]);
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ];
  return latin1(fileOf(all.concat(objects, pageObjects), trailer));
}

/** An object with content. @param entries  of its dictionary */
export function streamOf(content: string, entries = ''): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

/** An operator that shows a line. */
export function drawn({ text, x = 72, y, size = 11, isBold = false }: PdfLine): string {
  return `BT /${isBold ? 'F2' : 'F1'} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`;
}

/** A text inside the parentheses of a string. */
export function escaped(text: string): string {
  return text.replaceAll(/[()\\]/g, String.raw`\$&`);
}

/** The objects with the table of where each begins. */
function fileOf(objects: readonly string[], trailer: string): string {
  const parts = ['%PDF-1.7\n'];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((object, i) => {
    const part = `${i + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
    return length - part.length;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    `xref\n0 ${size}\n0000000000 65535 f \n${entries}`,
    `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return parts.join('');
}

/** Letters of Windows' Western encoding that Latin-1 lacks are left to those who need them. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Letters that fit a line of a page; Helvetica's are about half as wide as high. */
const LINE_LETTERS = 84;

/** A text as pages of a PDF: paragraphs wrapped at the width of a page, with room between them. */
export function wrappedPdf(paragraphs: readonly string[]): Uint8Array<ArrayBuffer> {
  const pages: PdfLine[][] = [[]];
  let y = HEIGHT - 72;
  const add = (text: string) => {
    if (y < 72) {
      pages.push([]);
      y = HEIGHT - 72;
    }
    pages.at(-1)?.push({ text, y });
    y -= 14;
  };
  for (const paragraph of paragraphs) {
    wrapped(paragraph).forEach(add);
    y -= 10;
  }
  return pdfOf(pages);
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const word of text.split(/\s+/)) {
    if (open !== '' && open.length + word.length + 1 > LINE_LETTERS) {
      lines.push(open);
      open = '';
    }
    open += (open === '' ? '' : ' ') + word;
  }
  return [...lines, open];
}
