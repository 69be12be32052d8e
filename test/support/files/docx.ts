import { crc32, deflateRawSync } from 'node:zlib';
import { METHOD } from '../../../workers/documents/read-zip.ts';
import { zipOf, type PackedFile } from './write-zip.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE_DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** A file of an archive, deflated; `lies` replaces what the archive says of it. */
export function deflated(name: string, content: string | Uint8Array, lies: Partial<PackedFile> = {}): PackedFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const packed = Uint8Array.from(deflateRawSync(bytes));
  return { name, method: METHOD.deflated, isEncrypted: false, crc: crc32(bytes), bytes: bytes.length, packed, ...lies };
}

/** The files of a Docx document with this body, an XML fragment; `more` come after them. */
export function docxFiles(body: string, more: readonly PackedFile[] = []): PackedFile[] {
  return [
    deflated(
      '[Content_Types].xml',
      `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${MAIN_TYPE}"/></Types>`,
    ),
    deflated(
      '_rels/.rels',
      `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE_DOCUMENT}" Target="word/document.xml"/></Relationships>`,
    ),
    deflated('word/document.xml', documentXml(body)),
    ...more,
  ];
}

/** `word/document.xml` with this body. */
export function documentXml(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>`;
}

/** A Docx file with this body, in base64 as a request carries it. */
export function docx(body: string, more?: readonly PackedFile[]): string {
  return base64(zipOf(docxFiles(body, more)));
}

/** Bytes as a request carries them. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A paragraph of one run. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;
}

/** A table of texts, row by row. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('');
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
