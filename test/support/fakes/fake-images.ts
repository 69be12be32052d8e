import { base64Of, encodePng } from '../files/png.ts';
import type { Square } from '../../../src/protocol/model-job.ts';
import { imageHeader } from '../../../src/router/request/prompt.ts';
import { gridOf } from '../../../workers/kernels/image-tiles.ts';
import type { ImageReader } from '../../../workers/engine/images/image-reader.ts';
import type { NetworkRun } from '../../../workers/engine/network.ts';

/** Tokens of a picture, in 12 rows. */
const TILES = 144;
/** Ids of tiles begin behind those of the vocabulary. */
const FIRST_ID = 5000;

/** The ids that rows of embeddings were made from, by the memory of the rows: a run may be given some of them. */
const idsOfRows = new WeakMap<ArrayBufferLike, readonly number[]>();

/**
 * Reads pictures without looking at them: the file's header gives the size, and each tile is what a token with an id of
 * its own would be, `tileId(square, tile)`. A file shorter than 64 bytes counts as broken.
 */
export function fakeImages(embedding: (id: number) => readonly number[]): ImageReader {
  return {
    tokens: TILES,
    grid: gridOf(TILES),
    async decode(bytes) {
      const size = imageHeader(bytes)?.size;
      if (size === undefined || bytes.length < 64) return undefined;
      return { ...size, pixels: () => new Uint8ClampedArray(0), close: () => undefined };
    },
    async embed(_, square) {
      const ids = Array.from({ length: TILES }, (__, tile) => tileId(square, tile));
      const rows = Float32Array.from(ids.flatMap(embedding));
      idsOfRows.set(rows.buffer, ids);
      return rows;
    },
    release: async () => undefined,
  };
}

/** The id that stands for a tile of a square; another square has others. */
export function tileId({ x, y, size }: Square, tile: number): number {
  return FIRST_ID + tile + 1000 * (x + y + size);
}

/** The run with tiles' ids where pictures are placed. */
export function withTiles(run: NetworkRun): NetworkRun {
  const first = run.cached?.tokens ?? 0;
  const ids = run.ids.slice();
  for (const { position, rows } of run.embeddingOverrides ?? [])
    idsIn(rows).forEach((id, i) => {
      const at = position + i - first;
      if (at >= 0 && at < ids.length) ids[at] = id;
    });
  return { ...run, ids };
}

function idsIn(rows: Float32Array): readonly number[] {
  const all = idsOfRows.get(rows.buffer) ?? [];
  const width = rows.buffer.byteLength / rows.BYTES_PER_ELEMENT / all.length;
  const from = rows.byteOffset / rows.BYTES_PER_ELEMENT / width;
  return all.slice(from, from + rows.length / width);
}

/** Base64 of a file that says it is a PNG of this size; it holds no pixels. */
export function pngOf(width: number, height: number): string {
  const file = encodePng(1, 1, () => [0, 0, 0]);
  const view = new DataView(file.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return base64Of(file);
}
