// cspell:ignore flate nendobj nstartxref FEFF

/** A PDF file that is being written. Objects have numbers from 1 on. */
export interface PdfFile {
  /** A number for an object that others refer to before it is known. */
  reserve(): number;
  define(id: number, body: string): void;
  /** Adds an object. @returns its number */
  object(body: string): number;
  /** Adds a compressed stream. @returns its number */
  stream(dictionary: string, data: Uint8Array<ArrayBuffer>): Promise<number>;
  /** The whole file, with the numbers of its catalogue and of its information. */
  bytes(root: number, info: number): Uint8Array<ArrayBuffer>;
}

/** An empty file. */
export function createPdfFile(): PdfFile {
  const objects: Uint8Array<ArrayBuffer>[] = [];
  const file: PdfFile = {
    reserve: () => objects.push(new Uint8Array()),
    define(id, body) {
      objects[id - 1] = encoded(body);
    },
    object: (body) => objects.push(encoded(body)),
    async stream(dictionary, data) {
      const packed = await deflated(data);
      const head = `<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
      return objects.push(joined([encoded(head), packed, encoded('\nendstream')]));
    },
    bytes: (root, info) => fileOf(objects, `/Root ${root} 0 R /Info ${info} 0 R`),
  };
  return file;
}

/** The second line tells programs that the file is no plain text. */
const HEAD = Uint8Array.of(...encoded('%PDF-1.7\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a);

function fileOf(objects: readonly Uint8Array<ArrayBuffer>[], trailer: string): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [HEAD];
  const offsets: string[] = [];
  let length = HEAD.length;
  for (const [index, body] of objects.entries()) {
    offsets.push(`${String(length).padStart(10, '0')} 00000 n \n`);
    const part = joined([encoded(`${index + 1} 0 obj\n`), body, encoded('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  parts.push(encoded(`${table}trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`));
  return joined(parts);
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function deflated(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([data]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** A number without an exponent, which PDF does not know. */
export function number(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** A text in any script, as UTF-16. */
export function textString(text: string): string {
  return `<FEFF${utf16(text)}>`;
}

/** UTF-16 units, four hexadecimal digits each. */
export function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0'),
  ).join('');
}
