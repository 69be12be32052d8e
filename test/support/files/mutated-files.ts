import { markdownFileWithFacts } from './facts/markdown.ts';
import { csvFileWithFacts } from './facts/table.ts';
import { textFileWithFacts } from './facts/text.ts';
import { docxFilesWith, wordPartsWithFacts } from './facts/word.ts';
import { deflated, docxFiles, paragraph, table } from './docx.ts';
import { zipOf } from './write-zip.ts';

/** Numbers from 0 to below 1. */
type Random = () => number;

/** Kinds of files besides PDF. */
export const TEXT_KINDS = ['word', 'markdown', 'table', 'text'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

const MARKS = [
  '<', '>', '&', '"', '\0', '\n', '---\n', '| ', '```', '<w:p>', '</w:p>', '<w:tbl><w:tr>', '\uFFFF', ']]>', '<!--', ';',
]; // prettier-ignore

function below(count: number, random: Random): number {
  return Math.floor(random() * count);
}

const utf8 = new TextEncoder();

/** A text with its end missing, a part missing, a part twice, other characters, or other names of elements. */
function mutatedText(text: string, random: Random): string {
  const from = below(text.length, random);
  const to = from + below(200, random);
  const mark = MARKS[below(MARKS.length, random)] ?? '<';
  return (
    [
      text.slice(0, from),
      text.slice(0, from) + text.slice(to),
      text.slice(0, to) + text.slice(from),
      text.slice(0, from) + mark.repeat(1 + below(40, random)) + text.slice(from),
      text.replaceAll(/w:\w+/g, (name) => (random() < 0.02 ? 'w:ruby' : name)),
    ][below(5, random)] ?? text
  );
}

/** Bytes with others among them, and sometimes without an end. */
function mutatedBytes(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice(0, random() < 0.3 ? below(bytes.length, random) : undefined);
  for (let i = 0; i < 5; i++) copy[below(copy.length, random)] = below(256, random);
  return copy;
}

/** What damage makes of a valid file with facts, by its number. */
const DAMAGED: Readonly<Record<TextKind, (random: Random, seed: number) => Promise<Uint8Array<ArrayBuffer>>>> = {
  async word(random, seed) {
    const entries = Object.entries(wordPartsWithFacts(seed).parts);
    const changed = below(entries.length, random);
    const parts = entries.map(([name, xml], at) => [name, at === changed ? mutatedText(xml, random) : xml]);
    return zipOf(docxFilesWith(Object.fromEntries(parts)));
  },
  markdown: async (random, seed) => utf8.encode(mutatedText(await markdownFileWithFacts(seed).file.text(), random)),
  table: async (random, seed) => utf8.encode(mutatedText(await csvFileWithFacts(seed).file.text(), random)),
  text: async (random, seed) => utf8.encode(mutatedText(await textFileWithFacts(seed).file.text(), random)),
};

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}x${close.repeat(depth)}`;
const fieldCharacter = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';

/** What attackers make: documents that are deep, wide, or unpack to far more than they are. @param size  0 … 1 */
const ATTACKS: Readonly<Record<TextKind, readonly ((size: number) => Uint8Array<ArrayBuffer>)[]>> = {
  word: [
    (size) => wordOf(nested('<w:p>', '</w:p>', 20_000 * size)),
    (size) => wordOf(`<w:p>${nested('<w:smartTag>', '</w:smartTag>', 200_000 * size)}</w:p>`),
    (size) => wordOf(paragraph('The rent is due.').repeat(200_000 * size)),
    (size) => wordOf(table(Array.from({ length: 3_000 * size }, () => Array.from({ length: 30 }, () => 'x')))),
    (size) => wordOf(`<w:p>${fieldCharacter.repeat(200_000 * size)}</w:p>`),
    (size) => wordOf(`<w:p>${nested('<w:fldSimple w:instr="x">', '</w:fldSimple>', 3_000 * size)}</w:p>`),
    (size) => wordOf(`<m:oMath xmlns:m="x">${nested('<m:sSup><m:e>', '</m:e></m:sSup>', 3_000 * size)}</m:oMath>`),
    (size) => zipOf(docxFiles('', [deflated('word/styles.xml', new Uint8Array(200 * 2 ** 20 * size))])),
    (size) => zipOf(docxFiles('', [deflated('word/styles.xml', new Uint8Array(200 * 2 ** 20 * size), { bytes: 9 })])),
    (size) =>
      zipOf(
        docxFiles(
          '',
          Array.from({ length: 9_000 * size }, (_, i) => deflated(`word/${i}.xml`, '<x/>')),
        ),
      ),
    () => wordOf('', `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1_000)}">${entities(9)}]>`),
  ],
  markdown: [
    (size) => utf8.encode('> '.repeat(100_000 * size)),
    (size) => utf8.encode('- '.repeat(100_000 * size)),
    (size) => utf8.encode('['.repeat(100_000 * size)),
    (size) => utf8.encode('*a _b '.repeat(50_000 * size)),
    (size) => utf8.encode('![a]('.repeat(50_000 * size)),
    (size) => utf8.encode('`'.repeat(100_000 * size) + 'x `` '.repeat(20_000 * size)),
    (size) => utf8.encode('<div>'.repeat(100_000 * size)),
    (size) => utf8.encode('<!-- x\n\n'.repeat(50_000 * size)),
    (size) => utf8.encode('<a '.repeat(50_000 * size)),
    (size) =>
      utf8.encode(`|${'a|'.repeat(20_000 * size)}\n|${'-|'.repeat(20_000 * size)}\n${'|\n'.repeat(2_000 * size)}`),
    (size) => utf8.encode('[a]: b\n'.repeat(50_000 * size) + '[a]'.repeat(50_000 * size)),
    (size) => utf8.encode(`---\n${'a: b\n'.repeat(100_000 * size)}`),
    (size) => utf8.encode('a\n- b\n  - c\n    > d\n'.repeat(30_000 * size)),
  ],
  table: [
    (size) => utf8.encode('a,b\n1,"x\n'.repeat(100_000 * size)),
    (size) => utf8.encode(`a,b\n${'"'.repeat(2_000_000 * size)}`),
    (size) => utf8.encode(`a,b\n${'"a'.repeat(1_000_000 * size)}`),
    (size) => utf8.encode(`${'a,'.repeat(300_000 * size)}\n1`),
    (size) => utf8.encode(`a;b,c|d\te\n${',;|\t\n'.repeat(300_000 * size)}`),
    (size) => utf8.encode(`a\n${'x\n'.repeat(1_000_000 * size)}`),
  ],
  text: [
    (size) => utf8.encode(' '.repeat(4_000_000 * size)),
    (size) => utf8.encode(`${' \n'.repeat(2_000_000 * size)}x`),
    (size) => utf8.encode(`${'x \n \t'.repeat(900_000 * size)}`),
    (size) => utf8.encode('x'.repeat(10_000_000 * size)),
  ],
};

function wordOf(body: string, head = ''): Uint8Array<ArrayBuffer> {
  const files = docxFiles(body);
  if (head === '') return zipOf(files);
  const changed = `${head}<w:document xmlns:w="x"><w:body>&a9;</w:body></w:document>`;
  return zipOf(files.map((file) => (file.name === 'word/document.xml' ? deflated(file.name, changed) : file)));
}

/** Entities of XML, each ten times as long as the one before. */
function entities(count: number): string {
  return Array.from({ length: count }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i || ''};`.repeat(10)}">`).join('');
}

/** A mutated file of a kind. @param attacks  share of files that attack, 0 … 1 */
export async function mutatedFile(
  kind: TextKind,
  random: Random,
  { seed, attacks }: { readonly seed: number; readonly attacks: number },
): Promise<{ readonly how: string; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const all = ATTACKS[kind];
  const index = below(all.length, random);
  if (random() < attacks) return { how: `attack ${index + 1}`, bytes: all[index]?.(random()) ?? new Uint8Array() };
  const bytes = await DAMAGED[kind](random, seed);
  return random() < 0.3 ? { how: 'other bytes', bytes: mutatedBytes(bytes, random) } : { how: 'damaged', bytes };
}
