import { shuffled } from '../../../../workers/kernels/seeded-random.ts';
import { deflated, docxFiles, paragraph, table } from '../docx.ts';
import { zipOf } from '../write-zip.ts';
import { inTags } from './invisible.ts';
import { type FileWithFacts, placed, type PlacedFact, type Places, plainWriting, type Writing } from './writing.ts';

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ' +
  'xmlns:v="urn:schemas-microsoft-com:vml" ' +
  'xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"';

const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const inParagraph = (content: string, properties = '') => `<w:p>${properties}${content}</w:p>`;
const character = (type: string, data = '') => `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`;
const field = (code: string, result: string) =>
  `${character('begin')}<w:r><w:instrText> ${code} </w:instrText></w:r>${character('separate')}${result}${character('end')}`;
const control = (content: string, properties = '') =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const boxed = (fact: string) => `<w:txbxContent>${paragraph(fact)}</w:txbxContent>`;
const shape = (fact: string) => `<w:drawing><wps:wsp><wps:txbx>${boxed(fact)}</wps:txbx></wps:wsp></w:drawing>`;
const olderShape = (fact: string) => `<w:pict><v:shape><v:textbox>${boxed(fact)}</v:textbox></v:shape></w:pict>`;
const cell = (content: string, properties = '') => `<w:tc>${properties}${content}</w:tc>`;
const rows = (...contents: readonly string[]) =>
  `<w:tbl>${contents.map((content) => `<w:tr>${content}</w:tr>`).join('')}</w:tbl>`;

/** Places of a Word file. A fact that is part of a picture, chart or the like is in none of the parts that are read. */
const PLACES: Places = {
  paragraph: { write: paragraph },
  'runs of one sentence': {
    write: (fact) =>
      inParagraph(
        Array.from(fact.matchAll(/.{1,5}/gs), ([part], at) =>
          at % 2 === 0 ? `<w:proofErr w:type="spellStart"/>${run(part)}` : run(part, '<w:lang w:val="en-GB"/>'),
        ).join('<w:bookmarkStart w:id="7" w:name="b"/><w:bookmarkEnd w:id="7"/>'),
      ),
  },
  'small capitals': { write: (fact) => inParagraph(run(fact, '<w:smallCaps/>')) },
  'drop cap': {
    write: (fact) =>
      inParagraph(run(fact.slice(0, 1)), '<w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>') +
      inParagraph(run(fact.slice(1))),
  },
  'table cell': { write: (fact) => table([['Clause', fact]]) },
  'table in a cell': { write: (fact) => rows(cell(table([['Clause', fact]]) + paragraph(''))) },
  'merged cell': {
    write: (fact) =>
      rows(
        cell(paragraph(fact), '<w:tcPr><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr>'),
        cell(paragraph(''), '<w:tcPr><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr>'),
      ),
  },
  'row in a content control': { write: (fact) => `<w:tbl>${control(`<w:tr>${cell(paragraph(fact))}</w:tr>`)}</w:tbl>` },
  'cell in a content control': { write: (fact) => rows(cell(paragraph('Clause')) + control(cell(paragraph(fact)))) },
  'list entry': {
    write: (fact) =>
      inParagraph(run(fact), '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'),
  },
  'simple field': { write: (fact) => inParagraph(`<w:fldSimple w:instr="MERGEFIELD x">${run(fact)}</w:fldSimple>`) },
  'complex field': { write: (fact) => inParagraph(field('FORMTEXT', run(fact))) },
  'table of contents': {
    write: (fact) =>
      control(
        inParagraph(field(String.raw`TOC \o`, `<w:hyperlink w:anchor="a">${run(`${fact}\t`)}</w:hyperlink>`)),
        '<w:docPartObj/>',
      ),
  },
  caption: { write: (fact) => inParagraph(run('Table ') + field('SEQ Table', run('1')) + run(`: ${fact}`)) },
  'list of a form': {
    write: (fact) =>
      inParagraph(
        character(
          'begin',
          `<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="none"/><w:listEntry w:val="${fact}"/></w:ddList></w:ffData>`,
        ) +
          '<w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r>' +
          character('end'),
      ),
  },
  'content control': { write: (fact) => control(paragraph(fact)) },
  'content control in a line': { write: (fact) => inParagraph(control(run(fact), '<w:dropDownList/>')) },
  'check box': {
    write: (fact) =>
      inParagraph(control(run('☒'), '<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>') + run(` ${fact}`)),
  },
  'text box': { write: (fact) => inParagraph(`<w:r>${shape(fact)}</w:r>`) },
  'older text box': { write: (fact) => inParagraph(`<w:r>${olderShape(fact)}</w:r>`) },
  'text box of both kinds': {
    write: (fact) =>
      inParagraph(
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${shape(fact)}</mc:Choice>` +
          `<mc:Fallback>${olderShape(fact)}</mc:Fallback></mc:AlternateContent></w:r>`,
      ),
  },
  'word art': {
    write: (fact) =>
      inParagraph(`<w:r><w:pict><v:shape><v:textpath on="t" string="${fact}"/></v:shape></w:pict></w:r>`),
  },
  equation: {
    write: (fact) => inParagraph(`<m:oMathPara><m:oMath><m:r><m:t>${fact}</m:t></m:r></m:oMath></m:oMathPara>`),
  },
  link: { write: (fact) => inParagraph(`<w:hyperlink r:id="rId1">${run(fact)}</w:hyperlink>`) },
  insertion: { write: (fact) => inParagraph(`<w:ins>${run(fact)}</w:ins>`) },
  'moved text': {
    write: (fact) =>
      inParagraph(`<w:moveFrom>${run(fact)}</w:moveFrom>`) + inParagraph(`<w:moveTo>${run(fact)}</w:moveTo>`),
  },
  'smart tag': { write: (fact) => inParagraph(`<w:smartTag w:element="date">${run(fact)}</w:smartTag>`) },
  'custom XML': { write: (fact) => `<w:customXml w:element="clause">${paragraph(fact)}</w:customXml>` },
  'text of another direction': { write: (fact) => inParagraph(`<w:dir w:val="ltr">${run(fact)}</w:dir>`) },
  'ruby base': {
    write: (fact) =>
      inParagraph(`<w:r><w:ruby><w:rt>${run('x')}</w:rt><w:rubyBase>${run(fact)}</w:rubyBase></w:ruby></w:r>`),
  },
  'struck text': { write: (fact) => inParagraph(run(fact, '<w:strike/>')) },
  'hidden text': { write: (fact) => inParagraph(run(fact, '<w:vanish/>')), expected: 'hidden_text' },
  'hidden row': {
    write: (fact) => rows(`<w:trPr><w:hidden/></w:trPr>${cell(paragraph(fact))}`, cell(paragraph('Clause'))),
    expected: 'hidden_text',
  },
  'white text': { write: (fact) => inParagraph(run(fact, '<w:color w:val="FFFFFF"/>')), expected: 'hidden_text' },
  'tiny text': { write: (fact) => inParagraph(run(fact, '<w:sz w:val="2"/>')), expected: 'hidden_text' },
  'invisible characters': { write: (fact) => inParagraph(run(`Clause${inTags(fact)}`)), expected: 'hidden_text' },
  deletion: {
    write: (fact) => inParagraph(`<w:del><w:r><w:delText>${fact}</w:delText></w:r></w:del>`),
    expected: 'deleted_text',
  },
  comment: { write: () => inParagraph('<w:r><w:commentReference w:id="0"/></w:r>'), expected: 'comment' },
  picture: { write: () => inParagraph('<w:r><w:pict><v:imagedata/></w:pict></w:r>'), expected: 'picture' },
  chart: { write: () => inParagraph('<w:r><w:drawing><c:chart r:id="rId5"/></w:drawing></w:r>'), expected: 'chart' },
  diagram: { write: () => inParagraph('<w:r><w:drawing><dgm:relIds/></w:drawing></w:r>'), expected: 'diagram' },
  spreadsheet: { write: () => inParagraph('<w:r><w:object><o:OLEObject/></w:object></w:r>'), expected: 'object' },
  'embedded file': { write: () => '<w:altChunk r:id="rId9"/>', expected: 'part' },
};

/** Places in parts of their own: its name, the element around it, how the body refers to it. */
const MARGINS = {
  'page header': ['header1', 'hdr', '<w:headerReference r:id="header1"/>'],
  'header of the first page': ['header2', 'hdr', '<w:headerReference w:type="first" r:id="header2"/>'],
  'page footer': ['footer1', 'ftr', '<w:footerReference r:id="footer1"/>'],
  'footer of even pages': ['footer2', 'ftr', '<w:footerReference w:type="even" r:id="footer2"/>'],
} as const;

/** A Word file with a fact in page headers and footers, a footnote, an endnote, and in each place of its body. */
export function wordFileWithFacts(seed: number, writing = plainWriting(seed)): FileWithFacts {
  const { parts: plain, facts } = wordPartsWithFacts(seed, writing);
  const spelled = SPELLINGS[seed % SPELLINGS.length] ?? ((xml: string) => xml);
  const parts = Object.fromEntries(
    Object.entries(plain).map(([name, xml]) => [name, name.endsWith('.rels') ? xml : spelled(xml)]),
  );
  return { file: new File([zipOf(docxFilesWith(parts))], `contract-${seed}.docx`), facts };
}

/** The files of an empty document, with these parts in place of its own. */
export function docxFilesWith(parts: Readonly<Record<string, string>>) {
  const own = docxFiles('').filter(({ name }) => parts[name] === undefined);
  return [...own, ...Object.entries(parts).map(([name, xml]) => deflated(name, xml))];
}

const part = (tag: string, content: string) => `<w:${tag} ${NAMESPACES}>${content}</w:${tag}>`;

/** A part as programs may write it: in the namespaces of strict files, or with a prefix of its own. @source ECMA-376 parts 1 and 4 */
const SPELLINGS: readonly ((xml: string) => string)[] = [
  (xml) => xml,
  (xml) =>
    xml.replaceAll(
      /schemas\.openxmlformats\.org\/(\w+)\/2006\/(?=main|relationships|math|chart|diagram)/g,
      'purl.oclc.org/ooxml/$1/',
    ),
  (xml) => xml.replaceAll(/(?<=[</ ])w:/g, 'ns0:').replace('xmlns:w=', 'xmlns:ns0='),
];

/** The XML of such a file by the names of its parts. */
export function wordPartsWithFacts(seed: number, writing: Writing = plainWriting(seed)) {
  const body = placed(shuffled(Object.entries(PLACES), seed), writing);
  const margins = Object.entries(MARGINS).map(([place, [name, tag, reference]]) => ({
    name,
    tag,
    reference,
    place,
    fact: writing.fact(),
  }));
  const notes = ['footnote', 'endnote'].map((place) => ({ place, fact: writing.fact() }));
  const relationships = margins.map(
    ({ name }) => `<Relationship Id="${name}" Type="https://example.org/${name.slice(0, -1)}" Target="${name}.xml"/>`,
  );
  const parts: Record<string, string> = {
    'word/document.xml': part(
      'document',
      `<w:body>${paragraph(writing.title)}${body.map(({ written }) => written + paragraph(writing.filler())).join('')}` +
        inParagraph(notes.map(({ place }) => `<w:r><w:${place}Reference w:id="2"/></w:r>`).join('')) +
        `<w:sectPr>${margins.map(({ reference }) => reference).join('')}</w:sectPr></w:body>`,
    ),
    'word/_rels/document.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      `${relationships.join('')}</Relationships>`,
  };
  for (const { name, tag, fact } of margins) parts[`word/${name}.xml`] = part(tag, table([[writing.title, fact]]));
  for (const { place, fact } of notes)
    parts[`word/${place}s.xml`] = part(`${place}s`, `<w:${place} w:id="2">${paragraph(fact)}</w:${place}>`);
  const others = [...margins, ...notes];
  const facts: PlacedFact[] = [
    ...body.map(({ place, fact, expected }) => ({ place, fact, expected })),
    ...others.map(({ place, fact }) => ({ place, fact, expected: 'read' as const })),
  ];
  return { parts, facts };
}
