import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasInvisible } from '../../../../../src/contract/wire/invisible-text.ts';
import { guardParser, type ParserReport } from '../../../../../src/files/pdf/guard/parser-guard.ts';
import { readPdf } from '../../../../../src/files/pdf/read-pdf.ts';
import { bomb, deflated } from '../../../../support/files/packed.ts';
import { drawn, type RawPage, rawPdf } from '../../../../support/files/pdf-file.ts';

const flate = (layers: number) => `/Filter [${' /FlateDecode'.repeat(layers)} ]`;

const LEASE: RawPage = { content: drawn({ text: 'Lease', y: 700 }) };

/** In place of the browser's: it unpacks each piece to 17 MB, as the densest stream is, and keeps what it got. */
class DensestStream extends TransformStream<Uint8Array, Uint8Array> {
  static readonly pieces: Uint8Array[] = [];

  constructor() {
    super({
      transform(piece, controller) {
        DensestStream.pieces.push(piece);
        controller.enqueue(new Uint8Array(17 * 10 ** 6));
      },
    });
  }
}

/** The guard of a browser whose streams unpack so. */
async function guardOfDensest(report: (report: ParserReport) => void) {
  vi.stubGlobal('DecompressionStream', DensestStream);
  vi.resetModules();
  DensestStream.pieces.length = 0;
  const fresh = await import('../../../../../src/files/pdf/guard/parser-guard.ts');
  return fresh.guardParser(report, hasInvisible);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules(); // another file imports the guard of the real streams
});

describe('guardParser', () => {
  it('lets arrays through, and is gone afterwards', () => {
    const reports: ParserReport[] = [];
    const native = { Uint8Array, DecompressionStream, console };
    const { fromCodePoint } = String;
    const guard = guardParser((report) => reports.push(report), hasInvisible);
    const bytes = new Uint8Array(2 ** 20);
    expect([bytes instanceof Uint8Array, bytes instanceof native.Uint8Array, bytes.length]).toEqual([
      true,
      true,
      2 ** 20,
    ]);
    expect([...new Uint8Array([1, 2]).slice(1)]).toEqual([2]);
    guard.remove();
    expect(reports).toEqual([]);
    expect({ Uint8Array, DecompressionStream, console }).toEqual(native);
    expect(String.fromCodePoint).toBe(fromCodePoint);
  });

  it('reports and refuses a stream that is too large, and more of them until the next step', () => {
    const reports: ParserReport[] = [];
    const guard = guardParser((report) => reports.push(report), hasInvisible);
    try {
      expect(() => new Uint8Array(2 ** 27 + 1)).toThrow(RangeError);
      expect(reports).toEqual([{ type: 'parser-overflow', bytes: 2 ** 27 + 1 }]);
      expect(() => new Uint8Array(2 ** 16)).toThrow(RangeError);
      guard.nextStep();
      expect(new Uint8Array(2 ** 16)).toHaveLength(2 ** 16);
    } finally {
      guard.remove();
    }
  });

  it('hands on warnings', () => {
    const reports: ParserReport[] = [];
    const guard = guardParser((report) => reports.push(report), hasInvisible);
    console.warn('Warning: a');
    console.info('Info: b');
    guard.remove();
    expect(reports.map((report) => 'text' in report && report.text)).toEqual(['Warning: a', 'Info: b']);
  });

  // `test/e2e/pages/documents.spec.ts` reads a whole file like this, in a worker that ends with it.
  it('refuses a bomb while it is unpacked', async () => {
    const reports: ParserReport[] = [];
    const guard = guardParser((report) => reports.push(report), hasInvisible);
    try {
      const { readable, writable } = new DecompressionStream('deflate');
      const writer = writable.getWriter();
      writer.write(Buffer.from(bomb(200, 1), 'latin1')).catch(() => undefined); // nobody reads its end
      const unpacking = (async () => {
        for await (const _ of readable);
      })();
      await expect(unpacking).rejects.toThrow(RangeError);
      expect(reports.map(({ type }) => type)).toEqual(['parser-overflow']);
    } finally {
      guard.remove();
    }
  });

  it.each([
    ['all of a stream', 100_000, 7, 0],
    ['no more of a stream than is unpacked', 2_000_000, 10, 1],
  ])('passes on %s piece by piece, though it comes at once', async (_, bytes, pieces, overflows) => {
    const reports: ParserReport[] = [];
    const guard = await guardOfDensest((report) => reports.push(report));
    try {
      const { readable, writable } = new DecompressionStream('deflate');
      const given = Uint8Array.from({ length: bytes }, (__, i) => i % 251);
      const writer = writable.getWriter();
      writer.write(given).catch(() => undefined); // nobody reads its end
      writer.close().catch(() => undefined);
      let unpacked = 0;
      try {
        for await (const part of readable) unpacked += part.length;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      const joined = Buffer.concat(DensestStream.pieces);
      expect(joined.equals(given.subarray(0, joined.length))).toBe(true);
      expect(Math.max(...DensestStream.pieces.map(({ length }) => length))).toBe(2 ** 14);
      expect(DensestStream.pieces.length).toBeLessThanOrEqual(pieces);
      expect(unpacked).toBeLessThanOrEqual(2 ** 27);
      expect([joined.length === bytes, reports.length]).toEqual([overflows === 0, overflows]);
    } finally {
      guard.remove();
    }
  });

  it('reads a page that is packed twice', async () => {
    const content = deflated(Buffer.from(deflated(Buffer.from(LEASE.content)), 'latin1'));
    expect((await readPdf(rawPdf({ pages: [{ content, packing: flate(2) }] }), {})).text).toBe('Lease');
  });
});
