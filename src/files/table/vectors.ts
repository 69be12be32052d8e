import { csvText } from './csv.ts';
import { npyBytes } from './npy.ts';
import type { VectorTable } from './vector-table.ts';

/** Kinds of files that vectors are saved as. */
export const VECTOR_FORMATS = ['csv', 'json', 'npy', 'parquet'] as const;
export type VectorFormat = (typeof VECTOR_FORMATS)[number];

/** Rows that are written at once: the page answers in between. */
const AT_ONCE = 400;

const MEDIA_TYPES: Readonly<Record<VectorFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  npy: 'application/octet-stream',
  parquet: 'application/vnd.apache.parquet',
};

/**
 * Texts and vectors as a file, written in parts so that the page stays responsive. An npy file has the vectors alone,
 * float32 `[texts, width]`; Parquet has them as a list of floats beside the text.
 */
export async function vectorFile(format: VectorFormat, table: VectorTable): Promise<Blob> {
  return new Blob(await partsOf(format, table), { type: MEDIA_TYPES[format] });
}

async function partsOf(format: VectorFormat, table: VectorTable): Promise<BlobPart[]> {
  switch (format) {
    case 'csv':
      return csvParts(table);
    case 'json':
      return jsonParts(table);
    case 'npy':
      return [npyBytes(table.vectors, table.width)];
    case 'parquet':
      return [await (await import('./parquet.ts')).parquetBytes(table, AT_ONCE)];
  }
}

async function csvParts({ texts, columns, vectors, width }: VectorTable): Promise<string[]> {
  const others = Object.entries(columns);
  const names = ['text', ...others.map(([name]) => name), ...Array.from({ length: width }, (_, at) => `v${at}`)];
  const parts = [csvText(names, [])];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const rows = texts
      .slice(from, from + AT_ONCE)
      .map((text, at) => [
        text,
        ...others.map(([, values]) => values[from + at] ?? ''),
        ...vectors.subarray((from + at) * width, (from + at + 1) * width),
      ]);
    parts.push(csvText(null, rows));
    await breath();
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
    await breath();
  }
  return [...parts, '\n]}\n'];
}

/** Lets the page answer. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
