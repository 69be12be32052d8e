import { describe, expect, it } from 'vitest';
import { textOfDocx } from '../../../../workers/documents/docx.ts';
import { deflated, docxFiles, paragraph } from '../../../support/files/docx.ts';
import { zipOf } from '../../../support/files/write-zip.ts';

const NAMESPACES =
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:v="urn:schemas-microsoft-com:vml" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const run = (text: string, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const WHITE = '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>';
const RAISED = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>';
const instruction = '<w:r><w:instrText> MERGEFIELD Name </w:instrText></w:r>';
const fieldCharacter = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const field = (code: string, result: string) =>
  `${fieldCharacter('begin')}${code}${fieldCharacter('separate')}${run(result)}${fieldCharacter('end')}`;
const math = (content: string) => `<m:oMath>${content}</m:oMath>`;
const mathRun = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const box = (content: string) => `<w:txbxContent>${content}</w:txbxContent>`;
const drawing = (content: string) =>
  `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

/** Reads a document with this body, or with a paragraph of this content. */
async function read(content: string, more: Parameters<typeof docxFiles>[1] = []) {
  const body = content.startsWith('<w:p>') || content.startsWith('<w:tbl>') ? content : `<w:p>${content}</w:p>`;
  const files = docxFiles(body, more).map((file) =>
    file.name === 'word/document.xml' ? deflated(file.name, documentWith(body)) : file,
  );
  const { text, unread } = await textOfDocx(zipOf(files), async () => undefined);
  return { text, unread: Object.fromEntries(unread.map(({ kind, count }) => [kind, count])) };
}

function documentWith(body: string): string {
  return `<w:document ${W} ${NAMESPACES}><w:body>${body}</w:body></w:document>`;
}

describe('textOfDocx reads', () => {
  it.each([
    [
      'a simple field',
      `${run('The tenant is ')}<w:fldSimple w:instr="MERGEFIELD Name">${run('Noah Lind')}</w:fldSimple>`,
    ],
    ['a carriage return', '<w:r><w:t>The tenant</w:t><w:cr/><w:t>is Noah Lind</w:t></w:r>', 'The tenant\nis Noah Lind'],
    ['an aligned tab', '<w:r><w:t>Rent</w:t><w:ptab/><w:t>900</w:t></w:r>', 'Rent\t900'],
    ['text of another direction', `<w:bdo w:val="rtl">${run('The tenant is Noah Lind')}</w:bdo>`],
    ['an element that is not known', `<w:unheard>${run('The tenant is Noah Lind')}</w:unheard>`],
    ['a link without its address', `<w:hyperlink r:id="rId77">${run('The tenant is Noah Lind')}</w:hyperlink>`],
    ['a content control', `<w:sdt><w:sdtContent>${run('The tenant is Noah Lind')}</w:sdtContent></w:sdt>`],
    ['a button', '<w:r><w:instrText> MACROBUTTON None The tenant is Noah Lind</w:instrText></w:r>'],
    [
      'the result of a field, without that of one in its instruction',
      `${run('The tenant is ')}${field(`<w:r><w:instrText>IF </w:instrText></w:r>${field(instruction, 'Ada Brook')}`, 'Noah Lind')}`,
    ],
    [
      'text after a field that never ends',
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${field(instruction, 'The tenant')}${run(' is Noah Lind')}`,
    ],
    [
      'an equation without what was deleted or only takes room',
      `${run('The tenant is ')}${math(`${mathRun('Noah')}<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr><m:e>${mathRun('x')}</m:e></m:phant>`)}${run(' Lind')}`,
    ],
    [
      'the selected entry of a list',
      '<w:r><w:t xml:space="preserve">The tenant is </w:t><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/>' +
        '<w:listEntry w:val="Ada Brook"/><w:listEntry w:val="Noah Lind"/></w:ddList></w:ffData></w:fldChar></w:r>',
    ],
    [
      'a raised number after a number',
      `${run('10')}${run('3', RAISED)}${run(' m')}${run('2', RAISED)}${run(' of 5')}${run('th', RAISED)}`,
      '10^3 m2 of 5th',
    ],
    ...['ins', 'hyperlink', 'smartTag', 'moveTo', 'fldSimple'].map((name) => [
      `a raised number in w:${name}, without what was moved away`,
      `${run('10')}<w:moveFrom>${run(' x')}</w:moveFrom><w:${name}>${run('3', RAISED)}</w:${name}>${run(' m')}`,
      '10^3 m',
    ]),
    [
      'a raised number in a content control after a number',
      `<w:ins>${run('10')}</w:ins><w:sdt><w:sdtContent>${run('3', RAISED)}</w:sdtContent></w:sdt>`,
      '10^3',
    ],
    ['a raised number in other quotes', run('10') + run('3', RAISED.replaceAll('"', "'")), '10^3'],
    ['a button that is a simple field', `<w:fldSimple w:instr="MACROBUTTON None The tenant is Noah Lind"/>`],
    [
      'a first letter that is set apart',
      `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${run('T')}</w:p><w:p>${run('he tenant is Noah Lind')}</w:p>`,
    ],
    [
      'an element that two versions of Word write differently',
      `<mc:AlternateContent><mc:Choice Requires="new">${run('The tenant is Noah Lind')}</mc:Choice></mc:AlternateContent>`,
    ],
  ])('%s', async (_, content, expected = 'The tenant is Noah Lind') => {
    expect(await read(content)).toEqual({ text: expected, unread: {} });
  });

  it('which check boxes are ticked', async () => {
    const control = (value: number, text: string) =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr>` +
      `<w:sdtContent>${run('x')}</w:sdtContent></w:sdt>${run(text)}`;
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r>' +
      '<w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    expect((await read(control(1, ' yes ') + control(0, ' no ') + field)).text).toBe('☒ yes ☐ no ☒');
  });

  it.each([
    ['12 %', mathRun('12 %')],
    ['(a+b)/2', `<m:f><m:num>${mathRun('a+b')}</m:num><m:den>${mathRun('2')}</m:den></m:f>`],
    ['x^2', `<m:sSup><m:e>${mathRun('x')}</m:e><m:sup>${mathRun('2')}</m:sup></m:sSup>`],
    [
      'x_i^2',
      `<m:sSubSup><m:e>${mathRun('x')}</m:e><m:sub>${mathRun('i')}</m:sub><m:sup>${mathRun('2')}</m:sup></m:sSubSup>`,
    ],
    ['√(x+1)', `<m:rad><m:radPr/><m:deg/><m:e>${mathRun('x+1')}</m:e></m:rad>`],
    [
      '∑_(i=1)^n x',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mathRun('i=1')}</m:sub><m:sup>${mathRun('n')}</m:sup><m:e>${mathRun('x')}</m:e></m:nary>`,
    ],
    [
      '[a|b]',
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${mathRun('a')}</m:e><m:e>${mathRun('b')}</m:e></m:d>`,
    ],
    [
      '[a, b; c, d]',
      `<m:m>${['ab', 'cd'].map((row) => `<m:mr>${[...row].map((cell) => `<m:e>${mathRun(cell)}</m:e>`).join('')}</m:mr>`).join('')}</m:m>`,
    ],
  ])('the equation %s', async (expected, content) => {
    const { text, unread } = await read(run('It is ') + math(content) + run('.'));
    expect([text, unread]).toEqual([`It is ${expected}.`, {}]);
  });

  it.each([
    ['of today', drawing(`<wps:wsp><wps:txbx>${box(paragraph('The deposit is 900.'))}</wps:txbx></wps:wsp>`)],
    [
      'of old files',
      `<w:r><w:pict><v:oval><v:textbox>${box(paragraph('The deposit is 900.'))}</v:textbox></v:oval></w:pict></w:r>`,
    ],
    ['as WordArt', '<w:r><w:pict><v:shape><v:textpath string="The deposit is 900."/></v:shape></w:pict></w:r>'],
    [
      'in both forms, once',
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box(paragraph('The deposit is 900.'))}</mc:Choice><mc:Fallback><w:pict>` +
        `<v:rect><v:textbox>${box(paragraph('The deposit is 900.'))}</v:textbox></v:rect></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    ],
  ])('text boxes %s after their paragraph', async (_, content) => {
    const { text, unread } = await read(`<w:p>${run('Before.')}${content}</w:p>${paragraph('After.')}`);
    expect([text, unread]).toEqual(['Before.\n\nThe deposit is 900.\n\nAfter.', {}]);
  });

  it('page headers before the text and page footers after it, each text once', async () => {
    const part = (tag: string, text: string) => `<w:${tag} ${W}>${paragraph(text)}</w:${tag}>`;
    const relationship = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="${RELATIONSHIP}/${type}" Target="${target}"/>`;
    const { text } = await read(
      `${paragraph('The lease.')}<w:sectPr><w:headerReference w:type="first" r:id="h1"/><w:headerReference r:id="h2"/>` +
        '<w:footerReference r:id="f1"/><w:footerReference r:id="gone"/></w:sectPr>',
      [
        deflated('word/header1.xml', part('hdr', 'Contract 4711-B')),
        deflated('word/header2.xml', part('hdr', 'Contract 4711-B')),
        deflated('footers/one.xml', part('ftr', 'Museum of Bremen')),
        deflated(
          'word/_rels/document.xml.rels',
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
            relationship('h1', 'header', 'header1.xml') +
            relationship('h2', 'header', '/word/header2.xml') +
            relationship('f1', 'footer', '../footers/one.xml') +
            relationship('gone', 'footer', 'footer9.xml') +
            '</Relationships>',
        ),
      ],
    );
    expect(text).toBe('Contract 4711-B\n\nThe lease.\n\nMuseum of Bremen');
  });
});

describe('textOfDocx leaves out and counts', () => {
  it.each([
    [
      'reading_aid',
      `<w:r><w:ruby><w:rt>${run('Berlin')}</w:rt><w:rubyBase>${run('Rent.')}</w:rubyBase></w:ruby></w:r>`,
    ],
    ['picture', run('Rent.') + drawing('<pic:pic/>')],
    ['picture', `${run('Rent.')}<w:r><w:pict><v:shape><v:imagedata r:id="rId9"/></v:shape></w:pict></w:r>`],
    ['chart', run('Rent.') + drawing('<c:chart r:id="rId9"/>')],
    ['diagram', run('Rent.') + drawing('<dgm:relIds r:dm="rId9"/>')],
    [
      'object',
      `${run('Rent.')}<w:r><w:object><v:shape><v:imagedata r:id="x"/></v:shape><o:OLEObject/></w:object></w:r>`,
    ],
    ['comment', `${run('Rent.')}<w:r><w:commentReference w:id="0"/></w:r>`],
    ['deleted_text', `${run('Rent.')}<w:del><w:r><w:delText>900</w:delText></w:r></w:del>`],
    ['deleted_text', run('Rent.') + math(`<w:del>${mathRun('900')}</w:del>`)],
    [
      'hidden_text',
      `<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>${paragraph('Draft')}</w:tc></w:tr><w:tr><w:tc>${paragraph('Rent.')}</w:tc></w:tr></w:tbl>`,
    ],
    ['symbol', `${run('Rent.')}<w:r><w:sym w:font="Own" w:char="F0AA"/></w:r>`],
    ...['LISTNUM  NumberDefault \\l 1', 'AUTONUM', ' autonumlgl ', ' AUTONUMOUT '].flatMap((code) => [
      ['symbol', `${run('Rent.')}<w:r><w:instrText>${code}</w:instrText></w:r>`],
      ['symbol', `${run('Rent.')}<w:fldSimple w:instr="${code}"/>`],
    ]),
    ['equation', `${run('Rent.')}<w:r><w:instrText> EQ \\f(12;100)</w:instrText></w:r>`],
    ['part', `<w:p>${run('Rent.')}</w:p><w:altChunk r:id="rId5"/>`],
    ['hidden_text', run('Rent.') + run('Draft', '<w:rPr><w:vanish/></w:rPr>')],
    ['hidden_text', run('Rent.') + run('Draft', '<w:rPr><w:rStyle w:val="Derived"/></w:rPr>')],
    ['hidden_text', `<w:p>${run('Rent.')}</w:p><w:p><w:pPr><w:pStyle w:val="Derived"/></w:pPr>${run('Draft')}</w:p>`],
    ['hidden_text', run('Rent.') + run('Draft', WHITE)],
    ['hidden_text', run('Rent.') + run('Draft', '<w:rPr><w:color w:themeColor="background1" w:val="FEFEFE"/></w:rPr>')],
    ['hidden_text', run('Rent.') + run('Draft', '<w:rPr><w:sz w:val="2"/></w:rPr>')],
    ...['none', 'white'].map((colour) => [
      'hidden_text',
      run('Rent.') + run('Draft', `<w:rPr><w:color w:val="FFFFFF"/><w:highlight w:val="${colour}"/></w:rPr>`),
    ]),
    ['hidden_text', `<w:p>${run('Rent.')}</w:p><w:p><w:pPr><w:pStyle w:val="Pale"/></w:pPr>${run('Draft')}</w:p>`],
  ])('%s', async (kind, content) => {
    const styles =
      `<w:styles ${W}><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>` +
      '<w:style w:styleId="Derived"><w:basedOn w:val="Secret"/></w:style>' +
      '<w:style w:styleId="Pale"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style></w:styles>';
    expect(await read(content, [deflated('word/styles.xml', styles)])).toEqual({
      text: 'Rent.',
      unread: { [kind]: 1 },
    });
  });

  it('text in the style of paragraphs without one', async () => {
    const styles =
      `<w:styles ${W}><w:style w:type="paragraph" w:default="1" w:styleId="Usual"><w:rPr><w:vanish/></w:rPr></w:style>` +
      '<w:style w:type="paragraph" w:styleId="Own"><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>';
    const body = `<w:p>${run('Draft')}</w:p><w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr>${run('Rent.')}</w:p>`;
    expect(await read(body, [deflated('word/styles.xml', styles)])).toEqual({
      text: 'Rent.',
      unread: { hidden_text: 1 },
    });
  });

  it.each([
    `<w:color w:val='FFFFFF'/>`,
    '<w:color w:val="&#70;FFFFF"/>',
    `<w:sz w:val='2'/>`,
    '<w:sz w:val="&#50;"/>',
    '<w:sz  w:val="2"/>',
    '<w:sz w:val="02"/>',
  ])('text that has %s, or whose style has it', async (look) => {
    const expected = { text: 'Rent.', unread: { hidden_text: 1 } };
    expect(await read(run('Rent.') + run('Draft', `<w:rPr>${look}</w:rPr>`))).toEqual(expected);
    const styles = `<w:styles ${W}><w:style w:styleId="Pale"><w:rPr>${look}</w:rPr></w:style></w:styles>`;
    const body = `<w:p>${run('Rent.')}</w:p><w:p><w:pPr><w:pStyle w:val="Pale"/></w:pPr>${run('Draft')}</w:p>`;
    expect(await read(body, [deflated('word/styles.xml', styles)])).toEqual(expected);
  });

  it.each([
    ['of the run', run('Rent.', '<w:rPr><w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/></w:rPr>')],
    ['marked on the run', run('Rent.', '<w:rPr><w:color w:val="FFFFFF"/><w:highlight w:val="black"/></w:rPr>')],
    ['of a pattern', run('Rent.', '<w:rPr><w:color w:val="FFFFFF"/><w:shd w:val="solid" w:fill="auto"/></w:rPr>')],
    ['of the paragraph', `<w:p><w:pPr><w:shd w:fill="1F3864"/></w:pPr>${run('Rent.', WHITE)}</w:p>`],
    ['of the style of the paragraph', `<w:p><w:pPr><w:pStyle w:val="Bar"/></w:pPr>${run('Rent.', WHITE)}</w:p>`],
    [
      'of the cell',
      `<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="1F3864"/></w:tcPr><w:p>${run('Rent.', WHITE)}</w:p></w:tc></w:tr></w:tbl>`,
    ],
    [
      'of the table',
      `<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr><w:tc><w:p>${run('Rent.', WHITE)}</w:p></w:tc></w:tr></w:tbl>`,
    ],
    [
      'of a box',
      `<w:r><w:pict><v:rect><v:textbox>${box(`<w:p>${run('Rent.', WHITE)}</w:p>`)}</v:textbox></v:rect></w:pict></w:r>`,
    ],
    ['of all pages', `<w:p>${run('Rent.', WHITE)}</w:p><w:background w:color="1F3864"/>`],
  ])('no white text on a colour %s', async (_, content) => {
    const styles =
      `<w:styles ${W}><w:style w:type="table" w:styleId="Dark"><w:tblStylePr><w:tcPr><w:shd w:fill="000000"/></w:tcPr></w:tblStylePr></w:style>` +
      '<w:style w:type="paragraph" w:styleId="Bar"><w:pPr><w:shd w:fill="000000"/></w:pPr></w:style></w:styles>';
    expect(await read(content, [deflated('word/styles.xml', styles)])).toEqual({ text: 'Rent.', unread: {} });
  });

  it('no symbols that are private characters of their font', async () => {
    const symbols = (font: string, texts: string) => run(texts, `<w:rPr><w:rFonts w:ascii="${font}"/></w:rPr>`);
    expect(await read(symbols('Wingdings', '\uF0FC') + run(' paid'))).toEqual({ text: '✓ paid', unread: {} });
    expect(await read(symbols('Wingdings', '\uF0FF\uF021') + run(' paid'))).toMatchObject({ unread: {} });
  });

  it('the table of a document without styles', async () => {
    const table = `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc>${paragraph('Rent.')}</w:tc></w:tr></w:tbl>`;
    expect(await read(table)).toEqual({ text: 'Rent.', unread: {} });
  });

  it('nothing that is struck through, which is counted', async () => {
    const struck = (name: string, value = '') => run('900', `<w:rPr><w:${name}${value}/></w:rPr>`);
    expect(await read(struck('strike') + run(' ') + struck('dstrike'))).toEqual({
      text: '900 900',
      unread: { struck_text: 2 },
    });
    expect(await read(struck('strike', ' w:val="0"'))).toEqual({ text: '900', unread: {} });
  });

  it('nothing that a run shows against its style', async () => {
    const styles = `<w:styles ${W}><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`;
    const shown = run('Rent.', '<w:rPr><w:rStyle w:val="Secret"/><w:vanish w:val="0"/></w:rPr>');
    expect(await read(shown, [deflated('word/styles.xml', styles)])).toEqual({ text: 'Rent.', unread: {} });
  });
});
