import { checkEnds, dataPath, externalData } from '../codec/data-files.ts';
import { decodeModel } from '../codec/model-proto.ts';
import type { Initialiser } from '../codec/tensor-proto.ts';
import { fetchWatched } from '../../../src/fetching/fetch-file.ts';
import { refuse } from '../network.ts';
import type { GraphFiles, TensorData } from '../session/session.ts';
import { free, makeTensorData } from '../session/tensor-data.ts';
import { download, type DownloadOptions, ifPresent, refuseMissing, refuseUnreadable } from './download.ts';
import type { Model } from '../../../src/models/model.ts';
import { outlineOf, STORED_VALUES } from './outline.ts';

interface LargeFile {
  readonly url: string;
  /** Expected. */
  readonly bytes: number;
  readonly options: DownloadOptions;
  readonly chunkBytes: number;
}

/**
 * A graph of a folder with the data files that it names; the weights of large files, the graph's own too, are `tensorData`.
 *
 * @param graph  its path
 * @param minBytes  size from which a file counts as large, in bytes
 * @throws {FailureError} MODEL_UNAVAILABLE as `fetchGraph`
 */
export async function fetchLargeGraph(
  graph: string,
  { folder, files = {} }: Pick<Model, 'folder' | 'files'>,
  optionsFor: (path: string) => DownloadOptions,
  minBytes: number,
): Promise<GraphFiles> {
  const fetchAny = (path: string) => {
    const { bytes = 0, sha256 } = files[path] ?? {};
    const [url, options] = [folder + path, optionsFor(path)];
    return bytes < minBytes || sha256
      ? download(url, options)
      : readLarge({ url, bytes, options, chunkBytes: minBytes / 8 });
  };
  const own = await fetchAny(graph);
  const model =
    own instanceof Uint8Array ? own : await outlineOf(own, { location: nameIn(graph), values: STORED_VALUES });
  const folded = foldedIn(model);
  const external: GraphFiles['external'][number][] = [];
  for (const [location, tensors] of externalData(graph, model)) {
    const path = dataPath(graph, location);
    const file = path === graph ? own : await fetchAny(path);
    checkEnds(graph, location, file instanceof Uint8Array ? file.length : file.bytes, tensors);
    const data = file instanceof Uint8Array ? file : tensorData(file, { tensors, folded });
    external.push({ path: location, data });
  }
  return { model, external };
}

/** The last part of a path, by which external data name a file beside the graph. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Constants that ONNX Runtime computes with before it opens a session: it takes them twice. */
function foldedIn(graph: Uint8Array): ReadonlySet<string> {
  const { nodes, initialisers } = decodeModel(graph);
  const alone = nodes.filter(({ inputs }) => inputs.every((name) => initialisers.has(name)));
  return new Set(alone.flatMap(({ inputs }) => inputs));
}

/** A file in memory, in chunks: each can be freed on its own. */
interface ChunkedFile {
  readonly bytes: number;
  /** The last one may be shorter. */
  readonly chunkBytes: number;
  readonly chunks: readonly Uint8Array[];
  again(): Promise<ChunkedFile>;
  /** Bytes `[start, end)`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Reads a large file into memory. @throws {FailureError} MODEL_UNAVAILABLE naming the URL and the cause */
async function readLarge(file: LargeFile): Promise<ChunkedFile> {
  const { url, bytes, options, chunkBytes } = file;
  const { held, onBytes } = options;
  const sizes = Array.from({ length: Math.ceil(bytes / chunkBytes) }, (_, at) =>
    Math.min(chunkBytes, bytes - at * chunkBytes),
  );
  const chunks = sizes.map((size) => new Uint8Array(size));
  const again = () => readLarge(file);
  const read = async (start: number, end: number) => copied(chunked, start, end);
  const chunked: ChunkedFile = { bytes, chunkBytes, chunks, again, read };
  const fill = (body: ReadableStream<Uint8Array> | null, onPiece = onBytes) => filled(chunked, body, onPiece);
  const done = held
    ? await fill(held.stream()).catch((error: unknown) => refuseUnreadable(url, error))
    : ((await ifPresent(fetchWatched(url, options, ({ body }, onPiece) => fill(body, onPiece)))) ?? refuseMissing(url));
  return done === bytes ? chunked : refuse(`${url} is not the model's file: expected ${bytes} bytes, got ${done}`);
}

/** Writes a stream into chunks; what does not fit is left out. @returns bytes of the stream */
async function filled(
  { bytes, chunkBytes, chunks }: ChunkedFile,
  body: ReadableStream<Uint8Array> | null,
  onBytes: DownloadOptions['onBytes'],
): Promise<number> {
  const reader = body?.getReader();
  let done = 0;
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    for (let rest = piece.value; rest.length > 0;) {
      const place = done % chunkBytes;
      const space = chunks[Math.floor(done / chunkBytes)]?.subarray(place);
      const part = rest.subarray(0, space?.length || undefined); // the rest of a stream that is too long
      if (space?.length) space.set(part);
      done += part.length;
      rest = rest.subarray(part.length);
    }
    onBytes(done, bytes);
  }
  return done;
}

function copied({ chunkBytes, chunks }: ChunkedFile, start: number, end: number): Uint8Array {
  const part = new Uint8Array(end - start);
  for (let at = start; at < end;) {
    const place = at % chunkBytes;
    const from = chunks[Math.floor(at / chunkBytes)]?.subarray(place, place + end - at) ?? [];
    part.set(from, at - start);
    at += from.length || Infinity;
  }
  return part;
}

/**
 * The tensors of a file as data of a session, each in a block of its own. ONNX Runtime copies them one by one; a block is freed as soon
 * as it is copied, so that file and copy are never in memory together. Another session has the file read again.
 *
 * @param file           its chunks are freed
 * @param weights.folded  names of tensors that are taken twice; they are freed last
 */
function tensorData(
  file: ChunkedFile,
  { tensors, folded }: { readonly tensors: readonly Initialiser[]; readonly folded: ReadonlySet<string> },
): TensorData {
  const late = new Set(tensors.filter(({ name }) => folded.has(name)).map(startOf));
  let blocks = cut(file, tensors);
  const sizes = new Map([...blocks].map(([start, { length }]) => [start, length]));
  let frees = false;
  let isMissing = false;
  let last: Uint8Array | undefined;
  const subarray = (start = 0, end = file.bytes): Uint8Array => {
    free(last);
    last = undefined;
    const block = blocks.get(start);
    isMissing ||= !block;
    if (!block || end - start > block.length)
      return refuse(`bytes ${start} to ${end} of the weights are not in memory`);
    if (frees && !late.has(start) && blocks.delete(start)) last = block;
    return block.subarray(0, end - start);
  };
  const attempt = async <Value>(open: () => Promise<Value>, freesNow: boolean): Promise<Value> => {
    if (tensors.some((tensor) => !blocks.has(startOf(tensor)))) blocks = cut(await file.again(), tensors);
    [frees, isMissing] = [freesNow, false];
    try {
      return await open();
    } finally {
      frees = false;
      for (const block of [last, ...blocks.values()]) free(block);
      blocks.clear();
    }
  };
  const openWith: TensorData['openWith'] = async (open) => {
    try {
      return await attempt(open, true);
    } catch (error) {
      if (!isMissing) throw error;
      return attempt(open, false); // one that is not folded was taken twice
    }
  };
  return makeTensorData(file.bytes, { tensors: sizes, subarray, openWith });
}

function startOf({ external }: Initialiser): number {
  return external?.offset ?? 0;
}

/** The block of each tensor, by its start. Chunks are freed in order. */
function cut(file: ChunkedFile, tensors: readonly Initialiser[]): Map<number, Uint8Array> {
  const blocks = new Map<number, Uint8Array>();
  for (const tensor of tensors.toSorted((a, b) => startOf(a) - startOf(b))) {
    const start = startOf(tensor);
    const length = tensor.external?.byteCount ?? file.bytes - start;
    if (length <= (blocks.get(start)?.length ?? -1)) continue;
    file.chunks.slice(0, Math.floor(start / file.chunkBytes)).forEach(free);
    blocks.set(start, copied(file, start, start + length));
  }
  file.chunks.forEach(free);
  return blocks;
}
