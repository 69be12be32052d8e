import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { unique } from './header.ts';

/** Texts, their columns and their vectors as a Parquet file, a row group for every `rows` texts. */
export async function parquetBytes(table: VectorTable, rows: number): Promise<Uint8Array<ArrayBuffer>> {
  const { texts, columns, vectors, width, model } = table;
  const writer = new ByteWriter();
  const names = unique(['text', 'vector', ...Object.keys(columns)]).slice(2);
  const others = Object.values(columns);
  const file = new ParquetWriter({ writer, schema: schemaOf(names), kvMetadata: [{ key: 'model', value: model }] });
  for (let from = 0; from < texts.length; from += rows) {
    const end = Math.min(texts.length, from + rows);
    const rowVectors = Array.from({ length: end - from }, (_, at) => [
      ...vectors.subarray((from + at) * width, (from + at + 1) * width),
    ]);
    await file.write({
      columnData: [
        { name: 'text', data: texts.slice(from, end) },
        ...names.map((name, at) => ({ name, data: (others[at] ?? []).slice(from, end) })),
        { name: 'vector', data: rowVectors },
      ],
    });
    await new Promise((resolve) => setTimeout(resolve)); // lets the page respond
  }
  await file.finish();
  return writer.getBytes();
}

/** Texts as UTF-8, the vector as a list of floats; all required. */
function schemaOf(names: readonly string[]): SchemaElement[] {
  const text = (name: string): SchemaElement => ({
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: 'REQUIRED',
  });
  return [
    { name: 'root', num_children: names.length + 2 },
    text('text'),
    ...names.map(text),
    { name: 'vector', repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  ];
}

/** Texts with their vectors. */
export interface VectorTable {
  readonly texts: readonly string[];
  /** Other values of each text, by column. A name that the file needs itself gets a number there. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** `[texts, width]` */
  readonly vectors: Float32Array;
  readonly width: number;
  /** Name and version of the model that made them. */
  readonly model: string;
}
