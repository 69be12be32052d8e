import { bomb, deflated } from './packed.ts';
import { drawn, pdfOf, rawPdf, streamOf, wrappedPdf } from './pdf-file.ts';

/** Numbers from 0 to below 1. */
type Random = () => number;

type Mutation = (bytes: Uint8Array<ArrayBuffer>, random: Random) => Uint8Array<ArrayBuffer>;

const TEXTS = ['Rent and heating are paid in advance.', 'The deposit is 900 euros.', 'The lease starts on 1 May 2026.'];

/** Valid files with pages, packed content, a form field and a font of another kind. */
export const VALID_FILES: readonly Uint8Array<ArrayBuffer>[] = [
  wrappedPdf(Array.from({ length: 40 }, (_, i) => `Clause ${i}. ${TEXTS.join(' ')}`)),
  rawPdf({
    pages: TEXTS.map((text, i) => ({
      content: deflated(Buffer.from(Array.from({ length: 30 }, (_, j) => drawn({ text, y: 760 - 20 * j })).join('\n'))),
      packing: '/Filter /FlateDecode',
      entries: i === 0 ? '/Annots [5 0 R]' : '',
    })),
    objects: ['<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Noah Lind) /F 4 /Rect [60 40 260 58] >>'],
    catalog: '/AcroForm << /Fields [5 0 R] >>',
  }),
  pdfOf([TEXTS.map((text, i) => ({ text, y: 700 - 14 * i }))]),
];

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const below = (count: number, random: Random) => Math.floor(random() * count);

/** What damage and bad software do to a file. */
const DAMAGE: Readonly<Record<string, Mutation>> = {
  truncated: (bytes, random) => bytes.slice(0, below(bytes.length, random)),
  'random bytes': (bytes, random) => scattered(bytes, 0, bytes.length, random),
  'random bytes in a stream': (bytes, random) => {
    const starts = [...textOf(bytes).matchAll(/stream\n/g)].map(({ index }) => index + 7);
    const start = starts[below(starts.length, random)] ?? 0;
    return scattered(bytes, start, Math.min(bytes.length, start + 200), random);
  },
  'a part missing': (bytes, random) => {
    const from = below(bytes.length, random);
    return bytesOf(textOf(bytes.slice(0, from)) + textOf(bytes.slice(from + below(400, random))));
  },
  'a part twice': (bytes, random) => {
    const from = below(bytes.length, random);
    return bytesOf(textOf(bytes.slice(0, from + below(400, random))) + textOf(bytes.slice(from)));
  },
  'other numbers': (bytes, random) =>
    bytesOf(textOf(bytes).replaceAll(/\b\d+\b/g, (number) => (random() < 0.02 ? String(below(30, random)) : number))),
  'other names': (bytes, random) => {
    const names = textOf(bytes).match(/\/[A-Za-z]+/g) ?? ['/A'];
    return bytesOf(
      textOf(bytes).replaceAll(/\/[A-Za-z]+/g, (name) =>
        random() < 0.03 ? (names[below(names.length, random)] ?? name) : name,
      ),
    );
  },
  'a loop of pages': (bytes) => bytesOf(textOf(bytes).replace(/\/Kids \[\d+/, '/Kids [2 0 R 2')),
  'a loop of tables': (bytes) =>
    bytesOf(textOf(bytes).replace(/trailer\n<< /, `trailer\n<< /Prev ${textOf(bytes).lastIndexOf('xref\n0')} `)),
};

function scattered(bytes: Uint8Array<ArrayBuffer>, from: number, to: number, random: Random) {
  const mutated = bytes.slice();
  for (let count = 1 + below(12, random); count > 0; count--)
    mutated[from + below(to - from, random)] = below(256, random);
  return mutated;
}

const flate = (layers: number) => `/Filter [${' /FlateDecode'.repeat(layers)} ]`;

/** What attackers make. */
const ATTACKS: Readonly<Record<string, Mutation>> = {
  'a bomb of one layer': () => rawPdf({ pages: [{ content: bomb(600, 1), packing: flate(1) }] }),
  'a bomb of three layers': (_, random) =>
    rawPdf({ pages: [{ content: bomb(200 + below(1800, random), 3), packing: flate(3) }] }),
  'many streams': () =>
    rawPdf({
      pages: [{ content: '', entries: `/Contents [${Array.from({ length: 40 }, () => '5 0 R').join(' ')}]` }],
      objects: [streamOf(bomb(120, 2), flate(2))],
    }),
  'forms in forms': (_, random) => {
    const depth = 4 + below(20, random);
    const form = (i: number) =>
      streamOf(
        '/X Do '.repeat(10),
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${i + 1} 0 R >> >>`,
      );
    const objects = Array.from({ length: depth }, (_, i) => form(5 + i));
    const leaf = streamOf(
      drawn({ text: 'x', y: 5 }),
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> >>',
    );
    return rawPdf({ pages: [{ content: '/X Do', resources: '/XObject << /X 5 0 R >>' }], objects: [...objects, leaf] });
  },
  'operators without end': () => {
    const content = Buffer.from(`${'BT /F1 9 Tf 9 9 Td (x) Tj ET\n'.repeat(400_000)}`);
    return rawPdf({ pages: [{ content: deflated(content), packing: flate(1) }] });
  },
  'lists in lists': () => rawPdf({ pages: [{ content: '['.repeat(2_000_000) }] }),
};

/** A mutated file, and what was done to it. @param attacks  share of files that attack, 0 … 1 */
export function mutatedPdf(
  random: Random,
  attacks: number,
): { readonly kind: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const kinds = Object.entries(random() < attacks ? ATTACKS : DAMAGE);
  const [kind, mutate] = kinds[below(kinds.length, random)] ?? ['truncated', DAMAGE['truncated']];
  const valid = VALID_FILES[below(VALID_FILES.length, random)];
  if (!valid || !mutate) throw new RangeError('expected numbers from 0 to below 1');
  return { kind, bytes: mutate(valid, random) };
}
