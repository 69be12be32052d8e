import { csvText } from './csv-text.ts';
import { unique } from './header.ts';
import type { VectorTable } from './parquet.ts';

/** Kinds of files that vectors are saved as. */
export const VECTOR_FORMATS = ['csv', 'json', 'npy', 'parquet'] as const;
export type VectorFormat = (typeof VECTOR_FORMATS)[number];

/** Rows that are written at once: in between the page can respond. */
const AT_ONCE = 400;

/**
 * Texts and vectors as a file, written in parts so that the page stays responsive. An npy file has the vectors alone,
 * float32 `[texts, width]`; Parquet has them as a list of floats for each text.
 */
export async function vectorFile(format: VectorFormat, table: VectorTable): Promise<Blob> {
  const { type, partsOf } = FILES[format];
  return new Blob(await partsOf(table), { type });
}

const FILES: Readonly<
  Record<VectorFormat, { readonly type: string; partsOf(table: VectorTable): Promise<BlobPart[]> }>
> = {
  csv: { type: 'text/csv', partsOf: csvParts },
  json: { type: 'application/json', partsOf: jsonParts },
  npy: { type: 'application/octet-stream', partsOf: async ({ vectors, width }) => [npyBytes(vectors, width)] },
  parquet: {
    type: 'application/vnd.apache.parquet',
    partsOf: async (table) => [await (await import('./parquet.ts')).parquetBytes(table, AT_ONCE)],
  },
};

async function csvParts({ texts, columns, vectors, width }: VectorTable): Promise<string[]> {
  const others = Object.values(columns);
  const numbers = Array.from({ length: width }, (_, at) => `v${at}`);
  const names = unique(['text', ...numbers, ...Object.keys(columns)]).slice(1 + width);
  const parts = [csvText([['text', ...names, ...numbers]])];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const rows = texts
      .slice(from, from + AT_ONCE)
      .map((text, at) => [
        text,
        ...others.map((values) => values[from + at] ?? ''),
        ...vectors.subarray((from + at) * width, (from + at + 1) * width),
      ]);
    parts.push(`\r\n${csvText(rows)}`);
    await nextTask();
  }
  return parts;
}

async function jsonParts({ texts, columns, vectors, width, model }: VectorTable): Promise<string[]> {
  const parts = [`{"model":${JSON.stringify(model)},"width":${width},"texts":[`];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const rows = texts.slice(from, from + AT_ONCE).map((text, at) => {
      const others = Object.fromEntries(
        Object.entries(columns).map(([name, values]) => [name, values[from + at] ?? '']),
      );
      const vector = [...vectors.subarray((from + at) * width, (from + at + 1) * width)];
      return JSON.stringify({ text, ...(Object.keys(others).length > 0 && { columns: others }), vector });
    });
    parts.push(`${from > 0 ? ',' : ''}\n${rows.join(',\n')}`);
    await nextTask();
  }
  return [...parts, '\n]}\n'];
}

/** Lets the page respond. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const VERSION = [1, 0];
/** Header and data begin at multiples of this. */
const ALIGNMENT = 64;

/**
 * An array of float32, `[rows, width]`, as NumPy saves it.
 *
 * @source numpy.lib.format, version 1.0
 */
export function npyBytes(values: Float32Array, width: number): Uint8Array<ArrayBuffer> {
  const shape = `(${width === 0 ? 0 : values.length / width}, ${width})`;
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`;
  const before = MAGIC.length + VERSION.length + 2;
  const length = Math.ceil((before + text.length + 1) / ALIGNMENT) * ALIGNMENT - before;
  const header = new TextEncoder().encode(`${text.padEnd(length - 1)}\n`);
  const bytes = new Uint8Array(before + length + values.byteLength);
  bytes.set([...MAGIC, ...VERSION, length & 255, length >> 8]);
  bytes.set(header, before);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), before + length);
  return bytes;
}
