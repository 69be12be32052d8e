import type { CommandReport } from './graphics-state.ts';
import { watchCommands } from './parser-commands.ts';
import { type DictionaryReport, reportingMap } from './parser-maps.ts';

/** What a parser of PDFs reports besides its answers: what dictionaries and commands say, a warning of pdf.js, or that a stream unpacks to too much. */
export type ParserReport =
  | DictionaryReport
  | CommandReport
  | { readonly type: 'parser-warning'; readonly text: string }
  | { readonly type: 'parser-overflow'; readonly bytes: number };

/** How the parser's text has a soft hyphen of the file: pdf.js leaves one out that has nothing after it. */
export const SOFT_HYPHEN = '\u00AD\u2010';

/** Sent to a parser before each page: its allowance for unpacked bytes begins again. */
export const NEXT_STEP = { type: 'parser-next-step' } as const;

/** Most bytes of one unpacked stream, 128 MiB: as many as the pixels of the largest picture that is drawn. */
const MAX_STREAM_BYTES = 2 ** 27;

/** Most bytes that are unpacked for one page, 512 MiB: as many as four of the largest pictures. */
const MAX_STEP_BYTES = 2 ** 29;

/** Smaller buffers are not counted. */
const COUNTED_FROM = 2 ** 16;

/** What pdf.js unpacks and warns with, as the browser has it. */
const NATIVE = { Uint8Array, DecompressionStream, Map, console };
const { fromCodePoint } = String;

/**
 * Bounds what pdf.js unpacks in this realm, keeps soft hyphens, and hands on its warnings. pdf.js has no limit of its own, allocates
 * with `Uint8Array` and `DecompressionStream`, and reads on after an error with nothing but a message on the console.
 *
 * @param report  an overflow is reported before the allocation fails with a `RangeError`, which pdf.js may ignore
 * @param hasInvisible  whether the characters of a font hold text that nobody sees
 * @returns       `nextStep` begins a new allowance, `remove` restores the globals
 */
export function guardParser(report: (report: ParserReport) => void, hasInvisible: (text: string) => boolean) {
  let stepBytes = 0;
  const count = (bytes: number, ofStream: number) => {
    stepBytes += bytes;
    if (ofStream <= MAX_STREAM_BYTES && stepBytes <= MAX_STEP_BYTES) return;
    report({ type: 'parser-overflow', bytes: Math.max(ofStream, stepBytes) });
    stepBytes = Infinity; // pdf.js tries the same stream again, another way
    throw new RangeError(`expected a stream of at most ${MAX_STREAM_BYTES} bytes, got more`);
  };
  const warn = (text: unknown) => report({ type: 'parser-warning', text: String(text) });
  Object.assign(globalThis, {
    Uint8Array: boundedBytes(count),
    DecompressionStream: boundedDecompression(count, warn),
    Map: reportingMap(report),
    console: { ...NATIVE.console, warn, info: warn },
  });
  const stopWatching = watchCommands(report);
  // pdf.js reads the characters of a font with it, and then leaves out each that is invisible; it has no option for that.
  String.fromCodePoint = (...points) => {
    const text = fromCodePoint(...points);
    if (text.length === 1 && text < '\xAD') return text; // most are
    if (hasInvisible(text)) report({ type: 'parser-outside' });
    return text === '\xAD' ? SOFT_HYPHEN : text;
  };
  const remove = () => {
    Object.assign(globalThis, NATIVE);
    stopWatching();
    String.fromCodePoint = fromCodePoint;
  };
  return { nextStep: () => void (stepBytes = 0), remove };
}

/** @param ofStream  bytes of one stream so far */
type Count = (bytes: number, ofStream: number) => void;

/** A proxy rather than a subclass: arrays from elsewhere remain its instances. */
function boundedBytes(count: Count): typeof Uint8Array {
  const bounded: typeof Uint8Array = new Proxy(NATIVE.Uint8Array, {
    construct(target, given: unknown[], newTarget) {
      const [size] = given;
      if (typeof size === 'number' && size >= COUNTED_FROM) count(size, size);
      return Reflect.construct(target, given, newTarget === bounded ? target : newTarget) as Uint8Array;
    },
  });
  return bounded;
}

function boundedDecompression(count: Count, warn: (text: string) => void) {
  return class {
    /** pdf.js iterates it; a stream through another one would take three times as long. */
    readonly readable: AsyncIterable<Uint8Array>;
    readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;

    constructor(format: CompressionFormat) {
      const { readable, writable } = new NATIVE.DecompressionStream(format);
      this.readable = counted(readable, count, warn);
      this.writable = inPieces(writable);
    }
  };
}

/** Browsers unpack all that is written at once before any of it is read: a piece becomes at most 17 MB, as Deflate packs 1 : 1,032. */
const PIECE_BYTES = 2 ** 14;

function inPieces(unpacking: WritableStream<BufferSource>): WritableStream<Uint8Array<ArrayBuffer>> {
  const writer = unpacking.getWriter();
  return new WritableStream({
    async write(packed) {
      for (let at = 0; at < packed.length; at += PIECE_BYTES) await writer.write(packed.subarray(at, at + PIECE_BYTES));
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

/** Errors of browsers for data that are complete: bytes after them, or a wrong checksum. pdf.js unpacks them itself then. */
const COMPLETE = /junk|trailing|after the end|check/i;

async function* counted(
  readable: ReadableStream<Uint8Array>,
  count: Count,
  warn: (text: string) => void,
): AsyncIterable<Uint8Array> {
  const reader = readable.getReader();
  const next = () =>
    reader.read().catch((error: unknown) => {
      if (!COMPLETE.test(String(error))) warn(`Broken data in flate stream: ${error}`); // pdf.js would end it without a word
      throw error;
    });
  let total = 0;
  for (let read = await next(); !read.done; read = await next()) {
    total += read.value.byteLength;
    count(read.value.byteLength, total);
    yield read.value;
  }
}
