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

/** A PDF of these pages, in the fonts that every reader has. @source ISO 32000-1, sections 7.5 and 9.4 */
export function pdfOf(pages: readonly (readonly PdfLine[])[], trailer = ''): Uint8Array<ArrayBuffer> {
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const kids = pages.map((_, i) => `${5 + i * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    ...pages.flatMap((lines, i) => {
      const content = lines.map(drawn).join('\n');
      const resources = '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${6 + i * 2} 0 R ${resources} >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return latin1(fileOf(objects, trailer));
}

function drawn({ text, x = 72, y, size = 11, isBold = false }: PdfLine): string {
  return `BT /${isBold ? 'F2' : 'F1'} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`;
}

/** The objects with the table of where each begins. */
function fileOf(objects: readonly string[], trailer: string): string {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return (
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}` +
    `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`
  );
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
