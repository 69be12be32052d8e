import { floatsOfOutput, type Ort, openSession, type GraphFiles } from './session.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import { integers } from './feeds.ts';
import { decodeModel } from '../codec/model-proto.ts';
import { tokensOf, type NetworkRun, type EmbeddingOverride } from '../network.ts';

/** Word embeddings by token id, for a network that is fed embeddings. Callers queue its runs. */
export interface EmbeddingTable {
  /** Rows of ids, `[ids, width]`. */
  rowsOf(ids: Int32Array): Promise<Float32Array>;
  release(): Promise<void>;
}

/**
 * Opens `embed_tokens.onnx`. Always on WebAssembly: a look-up is a copy, and the rows are mixed with those of pictures
 * before they are fed.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when it is not a look-up of `input_ids`
 */
export async function openEmbeddingTable(ort: Ort, files: GraphFiles): Promise<EmbeddingTable> {
  const { inputs, outputs } = decodeModel(files.model);
  const [input] = inputs;
  const [output] = outputs;
  if (input === undefined || output === undefined || inputs.length > 1)
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `embed_tokens: expected one input, "input_ids", got ${inputs.map(({ name }) => `"${name}"`).join(', ') || 'none'}`,
    );
  const session = await openSession(ort, files, { kind: 'wasm' });
  return {
    async rowsOf(ids) {
      const fetched = await session.run({ [input.name]: integers(ort, input, ids, [1, ids.length]) }, [output.name]);
      return floatsOfOutput(output.name, await fetched[output.name]?.getData(true));
    },
    release: () => session.release(),
  };
}

/**
 * The embeddings of a run: the table's row for each id, replaced where the run overrides it.
 *
 * @returns float32 `[ids.length, width]`: one row of sequences where the run's sequences share their ids
 * @throws {RangeError} when overriding rows have another width
 */
export async function embeddedRows(table: EmbeddingTable, run: NetworkRun): Promise<Float32Array> {
  const rows = await table.rowsOf(run.ids);
  const tokens = tokensOf(run);
  const width = rows.length / run.ids.length;
  for (let first = 0; first < run.ids.length; first += tokens)
    overrideRows(rows.subarray(first * width, (first + tokens) * width), run.embeddingOverrides ?? [], {
      first: run.cached?.tokens ?? 0,
      width,
    });
  return rows;
}

/** Replaces rows of a part of the sequence that begins at position `first`. */
export function overrideRows(
  rows: Float32Array,
  embeddingOverrides: readonly EmbeddingOverride[],
  { first, width }: { readonly first: number; readonly width: number },
): void {
  const end = first + rows.length / width;
  for (const { position, rows: given } of embeddingOverrides) {
    if (given.length % width !== 0)
      throw new RangeError(`embedding overrides: expected rows of width ${width}, got ${given.length} numbers`);
    const from = Math.max(position, first);
    const to = Math.min(position + given.length / width, end);
    if (from >= to) continue;
    rows.set(given.subarray((from - position) * width, (to - position) * width), (from - first) * width);
  }
}
