import type { UnreadPart } from '../../../src/contract/qa.ts';
import { csvText } from '../../../src/files/table/csv-text.ts';
import { shuffled } from '../../../workers/kernels/seeded-random.ts';
import { deflated, docxFiles, paragraph, table } from './docx.ts';
import { zipOf } from './write-zip.ts';

/** A sentence at a place of a file, and whether it is read there, or what is reported in its place. */
export interface PlacedFact {
  readonly place: string;
  readonly fact: string;
  readonly expected: 'read' | UnreadPart['kind'];
}

/** A file that looks like one of an office, and the facts that it states. */
export interface FileWithFacts {
  readonly file: File;
  readonly facts: readonly PlacedFact[];
}

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
  'xmlns:v="urn:schemas-microsoft-com:vml" ' +
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"';

const run = (text: string, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const inParagraph = (content: string) => `<w:p>${content}</w:p>`;

/** Places of a Word file: how a fact is written there. */
const WORD_PLACES: Readonly<
  Record<string, { readonly xml: (fact: string) => string; readonly expected?: UnreadPart['kind'] }>
> = {
  paragraph: { xml: paragraph },
  'table cell': { xml: (fact) => table([['Clause', fact]]) },
  'list entry': {
    xml: (fact) => `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(fact)}</w:p>`,
  },
  'simple field': { xml: (fact) => inParagraph(`<w:fldSimple w:instr="MERGEFIELD x">${run(fact)}</w:fldSimple>`) },
  'complex field': {
    xml: (fact) =>
      inParagraph(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> FORMTEXT </w:instrText></w:r>' +
          `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(fact)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
      ),
  },
  'content control': { xml: (fact) => `<w:sdt><w:sdtContent>${paragraph(fact)}</w:sdtContent></w:sdt>` },
  'text box': {
    xml: (fact) =>
      inParagraph(
        `<w:r><w:drawing><wps:wsp><wps:txbx><w:txbxContent>${paragraph(fact)}</w:txbxContent></wps:txbx></wps:wsp></w:drawing></w:r>`,
      ),
  },
  equation: { xml: (fact) => inParagraph(`<m:oMath><m:r><m:t>${fact}</m:t></m:r></m:oMath>`) },
  link: { xml: (fact) => inParagraph(`<w:hyperlink r:id="rId1">${run(fact)}</w:hyperlink>`) },
  insertion: { xml: (fact) => inParagraph(`<w:ins>${run(fact)}</w:ins>`) },
  'ruby base': {
    xml: (fact) =>
      inParagraph(`<w:r><w:ruby><w:rt>${run('x')}</w:rt><w:rubyBase>${run(fact)}</w:rubyBase></w:ruby></w:r>`),
  },
  'hidden text': { xml: (fact) => inParagraph(run(fact, '<w:rPr><w:vanish/></w:rPr>')), expected: 'hidden_text' },
  deletion: {
    xml: (fact) => inParagraph(`<w:del><w:r><w:delText>${fact}</w:delText></w:r></w:del>`),
    expected: 'deleted_text',
  },
  comment: { xml: () => inParagraph('<w:r><w:commentReference w:id="0"/></w:r>'), expected: 'comment' },
  picture: { xml: () => inParagraph('<w:r><w:pict><v:imagedata/></w:pict></w:r>'), expected: 'picture' },
  'embedded file': { xml: () => '<w:altChunk r:id="rId9"/>', expected: 'part' },
};

/** A Word file with a fact in its page header, its page footer, a footnote, and in each place of its body. */
export function wordFileWithFacts(seed: number): FileWithFacts {
  const { parts, facts } = wordPartsWithFacts(seed);
  return { file: new File([zipOf(docxFilesWith(parts))], `contract-${seed}.docx`), facts };
}

/** The files of an empty document, with these parts in place of its own. */
export function docxFilesWith(parts: Readonly<Record<string, string>>) {
  const own = docxFiles('').filter(({ name }) => parts[name] === undefined);
  return [...own, ...Object.entries(parts).map(([name, xml]) => deflated(name, xml))];
}

/** The XML of such a file by the names of its parts. */
export function wordPartsWithFacts(seed: number) {
  const next = factsOf(seed);
  const body = shuffled(Object.entries(WORD_PLACES), seed).map(([place, { xml, expected = 'read' as const }]) => {
    const fact = next();
    return { xml: xml(fact), fact: { place, fact, expected } };
  });
  const [header, footer, footnote] = [next(), next(), next()];
  const filler = paragraph('This agreement is made between the parties named above.');
  const part = (tag: string, content: string) => `<w:${tag} ${NAMESPACES}>${content}</w:${tag}>`;
  const relationships = ['header', 'footer'].map(
    (kind) => `<Relationship Id="${kind}" Type="https://example.org/${kind}" Target="${kind}1.xml"/>`,
  );
  const parts: Record<string, string> = {
    'word/document.xml': part(
      'document',
      `<w:body>${body.map(({ xml }) => xml + filler).join('')}${inParagraph('<w:r><w:footnoteReference w:id="2"/></w:r>')}` +
        '<w:sectPr><w:headerReference r:id="header"/><w:footerReference r:id="footer"/></w:sectPr></w:body>',
    ),
    'word/header1.xml': part('hdr', paragraph(header)),
    'word/footer1.xml': part('ftr', paragraph(footer)),
    'word/footnotes.xml': part('footnotes', `<w:footnote w:id="2">${paragraph(footnote)}</w:footnote>`),
    'word/_rels/document.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      `${relationships.join('')}</Relationships>`,
  };
  const margins = Object.entries({ 'page header': header, 'page footer': footer, footnote });
  const facts: PlacedFact[] = [
    ...body.map(({ fact }) => fact),
    ...margins.map(([place, fact]) => ({ place, fact, expected: 'read' as const })),
  ];
  return { parts, facts };
}

/** Places of a Markdown file: how a fact is written there. */
const MARKDOWN_PLACES: Readonly<Record<string, (fact: string) => string>> = {
  paragraph: (fact) => fact,
  heading: (fact) => `## ${fact}`,
  'list entry': (fact) => `- ${fact}`,
  'check box': (fact) => `- [x] ${fact}`,
  quote: (fact) => `> ${fact}`,
  table: (fact) => `| Clause | Text |\n| --- | --- |\n| 1 | ${fact} |`,
  code: (fact) => `\`\`\`\n${fact}\n\`\`\``,
  'HTML paragraph': (fact) => `<p align="center">\n${fact}\n</p>`,
  'HTML details': (fact) => `<details>\n<summary>More</summary>\n${fact}\n</details>`,
  'HTML table': (fact) => `<table>\n<tr><td>1</td><td>${fact}</td></tr>\n</table>`,
  'between rules': (fact) => `---\n\n${fact}\n\n---`,
  'picture description': (fact) => `![${fact}](x.png)`,
  footnote: (fact) => `Text.[^1]\n\n[^1]: ${fact}`,
};

/** A Markdown file with a fact in each place, and one in its metadata. */
export function markdownFileWithFacts(seed: number): FileWithFacts {
  const next = factsOf(seed);
  const metadata = { place: 'metadata', fact: next(), expected: 'metadata' as const };
  const parts = shuffled(Object.entries(MARKDOWN_PLACES), seed).map(([place, write]) => {
    const fact = next();
    return { place, fact, expected: 'read' as const, text: write(fact) };
  });
  const text = `---\ntitle: ${metadata.fact}\n---\n\n${parts.map((part) => part.text).join('\n\n')}\n`;
  return {
    file: new File([text], `notes-${seed}.md`),
    facts: [metadata, ...parts.map(({ place, fact, expected }) => ({ place, fact, expected }))],
  };
}

/** A table as programs export it, with a fact in each row: delimiter, quotes and first line differ. */
export function csvFileWithFacts(seed: number): FileWithFacts {
  const next = factsOf(seed);
  const delimiter = [',', ';', '\t', '|'][seed % 4] ?? ',';
  const facts = Array.from({ length: 12 }, () => ({
    place: `delimiter ${delimiter}`,
    fact: next(),
    expected: 'read' as const,
  }));
  const rows = facts.map(({ fact }, at) => [String(at), at % 3 === 0 ? `${fact} Then, "so"; | it\tsaid` : fact]);
  const text = csvText([['id', 'comment'], ...rows]).split('\r\n');
  const quoted = rows.map(([id, comment]) => `${id}${delimiter}"${(comment ?? '').replaceAll('"', '""')}"`);
  const lines = delimiter === ',' ? text : [`id${delimiter}comment`, ...quoted];
  if (seed % 5 === 0) lines.splice(5, 0, `99${delimiter}"a screen of 5 inches`);
  return {
    file: new File([(seed % 3 === 0 ? [`sep=${delimiter}`, ...lines] : lines).join('\r\n')], `export-${seed}.csv`),
    facts,
  };
}

/** Sentences with numbers that no other has. */
function factsOf(seed: number): () => string {
  const nouns = ['deposit', 'rent', 'notice period', 'service fee', 'late charge', 'insurance sum', 'contract number'];
  let count = 0;
  return () => `The ${nouns[(seed + count) % nouns.length]} is ${seed * 1_000 + ++count} units.`;
}
