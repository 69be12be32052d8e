import { describe, expect, it } from 'vitest';
import { guardParser, type ParserReport } from '../../../../src/files/pdf/parser-guard.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { bomb, deflated } from '../../../support/files/packed.ts';
import { drawn, type RawPage, rawPdf } from '../../../support/files/pdf-file.ts';

const flate = (layers: number) => `/Filter [${' /FlateDecode'.repeat(layers)} ]`;

const LEASE: RawPage = { content: drawn({ text: 'Lease', y: 700 }) };

describe('guardParser', () => {
  it('lets arrays through, and is gone afterwards', () => {
    const reports: ParserReport[] = [];
    const native = { Uint8Array, DecompressionStream, console };
    const guard = guardParser((report) => reports.push(report));
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
  });

  it('reports and refuses a stream that is too large, and more of them until the next step', () => {
    const reports: ParserReport[] = [];
    const guard = guardParser((report) => reports.push(report));
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
    const guard = guardParser((report) => reports.push(report));
    console.warn('Warning: a');
    console.info('Info: b');
    guard.remove();
    expect(reports.map((report) => 'text' in report && report.text)).toEqual(['Warning: a', 'Info: b']);
  });

  // `test/e2e/pages/documents.spec.ts` reads a whole file like this, in a worker that ends with it.
  it('refuses a bomb while it is unpacked', async () => {
    const reports: ParserReport[] = [];
    const guard = guardParser((report) => reports.push(report));
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

  it('reads a page that is packed twice', async () => {
    const content = deflated(Buffer.from(deflated(Buffer.from(LEASE.content)), 'latin1'));
    expect((await readPdf(rawPdf({ pages: [{ content, packing: flate(2) }] }), {})).text).toBe('Lease');
  });
});
