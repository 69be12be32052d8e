import { type Invented, inventedBy } from '../invented.ts';
import type { Fact, MadeFile } from '../made-file.ts';
import {
  drawn,
  escaped,
  type PdfLine,
  pdfOf,
  type RawPage,
  rawPdf,
  streamOf,
} from '../../../test/support/files/pdf-file.ts';

type Made = Omit<MadeFile, 'name'>;

/** Files written operator by operator: what printers of pages do not do. @param each  how many of each kind */
export function writtenFiles(each: number): MadeFile[] {
  const makers = [
    typeset,
    columnsByRow,
    turnedPage,
    filledForm,
    stamped,
    slips,
    unreadFont,
    commented,
    scanned,
    unseen,
  ];
  return makers.flatMap((make, kind) =>
    Array.from({ length: each }, (_, i) => {
      const made = make(inventedBy(10_000 + 1000 * kind + i), i);
      return { name: `${made.group.replaceAll(/\W+/g, '-')}-${i}.pdf`, ...made };
    }),
  );
}

const lines = (texts: readonly string[], x: number, y = 740): PdfLine[] =>
  texts.map((text, i) => ({ text, x, y: y - 13 * i }));

/** Text that nobody sees on paper, beside text that is seen or was recognised in a picture. */
function unseen(some: Invented, index: number): Made {
  const [rent, secret, head] = [some.amount(), some.number(), some.number()];
  const hidden = { text: `The secret number is ${secret}`, y: 600 };
  const ways = [
    `q 1 g ${drawn(hidden)} Q`,
    `q BT 3 Tr ET ${drawn(hidden)} Q`,
    drawn({ ...hidden, size: 1 }),
    drawn({ ...hidden, y: -30 }),
    `q 0 0 9 9 re W n ${drawn(hidden)} Q`,
    `q 0.8 0.9 1 rg 60 590 400 30 re f ${drawn(hidden)} Q`,
    `${drawn(hidden)} q 0.8 0.9 1 rg 60 590 400 30 re f Q`,
    `${drawn(hidden)} q 1 g 60 590 400 30 re f Q`,
  ];
  const bar = `q 0.1 0.2 0.4 rg 60 690 400 30 re f 1 g ${drawn({ text: `Contract ${head}`, y: 700 })} Q`;
  return {
    group: 'text that is not seen',
    bytes: rawPdf({
      pages: [
        { content: `${bar} ${drawn({ text: `The rent is ${rent} euros.`, y: 660 })} ${ways[index % ways.length]}` },
      ],
    }),
    facts: [
      { place: 'white on a bar', words: `Contract ${head}` },
      { place: 'text', words: `The rent is ${rent} euros.` },
      { place: 'not seen', words: hidden.text, reportedAs: 'hidden_text', isUnseen: true },
    ],
  };
}

/** As a typesetter writes: words parted by distances, divided words, a page number and a footnote. */
function typeset(some: Invented): Made {
  const [person, amount, note] = [some.person(), some.amount(), some.number()];
  const kerned = (text: string) =>
    text
      .split(' ')
      .map((word) => `(${escaped(word)})`)
      .join(' -333 ');
  const line = (text: string, y: number, size = 10) => `BT /F1 ${size} Tf 1 0 0 1 90 ${y} Tm [${kerned(text)}] TJ ET`;
  const page = (number: number) => [
    line('In this section the agreement with the inter-', 740),
    line(`national office of ${latin(person)} is described, which costs ${amount} euros`, 728),
    line('in each year, and is renewed by the board of the COMMIS-', 716),
    line('SION of the town.', 704),
    line(`1 See file ${note} of part ${number}.`, 120, 8),
    line(String(number), 90),
  ];
  return {
    group: 'paper, typeset',
    bytes: rawPdf({ pages: [1, 2, 3].map((number) => ({ content: page(number).join('\n') })) }),
    facts: [
      { place: 'divided word', words: `the international office of ${latin(person)} is described` },
      { place: 'divided word', words: 'the board of the COMMISSION of the town' },
      { place: 'text', words: `which costs ${amount} euros in each year` },
      { place: 'footnote', words: `See file ${note} of part 2` },
    ],
  };
}

function columnsByRow(some: Invented, index: number): Made {
  const [opener, founder] = [latin(some.person()), latin(some.person())];
  const columns = [
    [
      'The museum of the harbour is opened by',
      `${opener} at nine each morning and it`,
      'is closed at six in the evening of',
      'each day of the week.',
    ],
    [
      'The café of the house was founded by',
      `${founder} in the year of the flood and`,
      'is still run by the same family that',
      'owns the house.',
    ],
    [
      'A boat to the islands leaves from the',
      'pier behind the house twice on each',
      'day, and takes the mail, too.',
      'It is green.',
    ],
  ].slice(0, 2 + (index % 2));
  const step = columns.length === 2 ? 260 : 175;
  const size = columns.length === 2 ? 11 : 8;
  const rows = (columns[0] ?? []).flatMap((_, row) =>
    columns.map((column, i) => ({ text: column[row] ?? '', x: 50 + step * i, y: 700 - 13 * row, size })),
  );
  return {
    group: 'columns, row by row',
    bytes: pdfOf([[{ text: 'News of the harbour', y: 760, size: 18 }, ...rows]]),
    facts: [
      { place: 'column', words: `is opened by ${opener} at nine each morning` },
      { place: 'column', words: `was founded by ${founder} in the year of the flood` },
    ],
  };
}

function turnedPage(some: Invented, index: number): Made {
  const [person, rent] = [latin(some.person()), some.amount()];
  const texts = [
    'The lease of the flat ends when the tenant gives notice to the landlord, Ms',
    `${person}, three months before. The rent of ${rent} euros is paid for the whole quar-`,
    'ter in advance.',
  ];
  const matrices = [
    (i: number) => `0 1 -1 0 ${60 + 14 * i} 50`,
    (i: number) => `-1 0 0 -1 540 ${60 + 14 * i}`,
    (i: number) => `0 -1 1 0 ${500 - 14 * i} 790`,
  ];
  const matrix = matrices[index % 3] ?? (() => '1 0 0 1 0 0');
  const content = texts.map((text, i) => `BT /F1 11 Tf ${matrix(i)} Tm (${escaped(text)}) Tj ET`).join('\n');
  return {
    group: 'turned page',
    bytes: rawPdf({ pages: [{ content, entries: `/Rotate ${[90, 180, 270][index % 3]}` }] }),
    facts: [
      { place: 'text', words: `gives notice to the landlord, Ms ${person}, three months before` },
      { place: 'text', words: `The rent of ${rent} euros is paid for the whole quarter in advance` },
    ],
  };
}

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 200 18] /Resources << /Font << /F1 3 0 R >> >>';
const shown = (text: string) => streamOf(`/Tx BMC q BT /F1 11 Tf 2 4 Td (${escaped(text)}) Tj ET Q EMC`, FORM);

/** A page with annotations, which are objects from number 5 on. */
function annotated(lines: readonly PdfLine[], annotations: readonly string[], drawings: readonly string[] = []) {
  const refs = annotations.map((_, i) => `${5 + i} 0 R`).join(' ');
  const page: RawPage = { content: lines.map(drawn).join('\n'), entries: `/Annots [${refs}]` };
  const objects = annotations.map((entries) => `<< /Type /Annot /F 4 /DA (/F1 11 Tf 0 g) ${entries} >>`);
  return rawPdf({ pages: [page], objects: objects.concat(drawings), catalog: `/AcroForm << /Fields [${refs}] >>` });
}

function filledForm(some: Invented, index: number): Made {
  const [tenant, town, number] = [latin(some.person()), 'Ghent', some.number()];
  const labels = ['Name of the tenant:', 'Town:', 'Heating is included:', 'Contract:'];
  const widget = (row: number, rest: string) =>
    `/Subtype /Widget /T (f${row}) /Rect [220 ${736 - 40 * row} 420 ${754 - 40 * row}] ${rest}`;
  const drawing = index % 2 === 0 ? '/AP << /N 9 0 R >>' : '';
  return {
    group: 'form',
    bytes: annotated(
      labels.map((text, i) => ({ text, x: 60, y: 740 - 40 * i })),
      [
        widget(0, `/FT /Tx /V (${tenant}) ${drawing}`),
        widget(1, `/FT /Ch /Ff 131072 /V (g) /Opt [[(b) (Bremen)] [(g) (${town})]]`),
        widget(2, '/FT /Btn /AS /Yes /V /Yes /AP << /N << /Yes 10 0 R /Off 10 0 R >> >>'),
        widget(3, `/FT /Tx /Ff 4096 /V (${number}\\nof the town)`),
      ],
      [shown(tenant), streamOf('', FORM)],
    ),
    facts: [
      { place: 'field', words: `Name of the tenant: ${tenant}` },
      { place: 'choice', words: `Town: ${town}` },
      { place: 'check box', words: 'Heating is included: ☒' },
      { place: 'field', words: `Contract: ${number} of the town` },
    ],
  };
}

function stamped(some: Invented): Made {
  const [person, date, note] = [latin(some.person()), some.date(), some.number()];
  return {
    group: 'stamps and notes',
    bytes: annotated(
      lines(['This invoice was checked and passed for payment.'], 60),
      [
        '/Subtype /Stamp /Rect [60 600 260 618] /AP << /N 8 0 R >>',
        `/Subtype /FreeText /Rect [60 560 260 578] /Contents (See file ${note})`,
        '/Subtype /Widget /FT /Sig /T (s) /Rect [60 520 260 538] /AP << /N 9 0 R >>',
      ],
      [shown(`PAID ${date}`), shown(`Signed by ${person}`)],
    ),
    facts: [
      { place: 'stamp', words: `PAID ${date}`, reportedAs: 'annotation' },
      { place: 'note', words: `See file ${note}`, reportedAs: 'annotation' },
      { place: 'signature', words: `Signed by ${person}`, reportedAs: 'annotation' },
    ],
  };
}

/** Copies of a form, a number alone on the last line of each. */
function slips(some: Invented): Made {
  const amounts = [1, 2, 3].map(() => String(1000 + some.below(8999)));
  const slip = (amount: string, i: number) =>
    lines([`Invoice of ${latin(some.person())}`, `Number: ${i + 1} of 2026`, 'Total in euros:', amount], 60);
  return {
    group: 'copies of a form',
    bytes: pdfOf(amounts.map(slip)),
    facts: amounts.map((amount) => ({ place: 'last line', words: amount })),
  };
}

function unreadFont(some: Invented): Made {
  const amount = some.amount();
  const objects = [
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /FontDescriptor 7 0 R ' +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>',
    '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 ' +
      '/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ];
  const content = `${drawn({ text: 'Lease of a flat', y: 740 })}\nBT /F3 11 Tf 1 0 0 1 60 700 Tm (The deposit is ${amount} euros.) Tj ET`;
  return {
    group: 'font without tables',
    bytes: rawPdf({ pages: [{ content, fonts: '/F3 5 0 R' }], objects }),
    facts: [
      { place: 'text', words: 'Lease of a flat' },
      { place: 'unknown font', words: `The deposit is ${amount} euros`, reportedAs: 'font' },
    ],
  };
}

function commented(some: Invented): Made {
  const [note, number] = [some.number(), some.number()];
  return {
    group: 'comments',
    bytes: annotated(lines([`The rent of flat ${number} is paid in advance.`], 60), [
      `/Subtype /Text /Rect [400 736 418 754] /Contents (Compare file ${note})`,
    ]),
    facts: [
      { place: 'text', words: `The rent of flat ${number} is paid` },
      { place: 'comment', words: `Compare file ${note}`, reportedAs: 'comment' },
    ],
  };
}

/** A page of text and one that is a picture. */
function scanned(some: Invented): Made {
  const number = some.number();
  const picture = streamOf('no picture', '/Type /XObject /Subtype /Image /Width 9 /Height 9 /Filter /JPXDecode');
  const scan: RawPage = { content: 'q 595 0 0 842 0 0 cm /I1 Do Q', resources: '/XObject << /I1 5 0 R >>' };
  const facts: Fact[] = [
    { place: 'text', words: `File ${number}` },
    { place: 'scan', words: 'words of a picture', reportedAs: 'textless_page' },
  ];
  return {
    group: 'scan among pages',
    bytes: rawPdf({ pages: [{ content: drawn({ text: `File ${number}`, y: 740 }) }, scan], objects: [picture] }),
    facts,
  };
}

/** Names with letters of Latin-1 alone, which these files are written in. */
function latin(text: string): string {
  return text.replaceAll(/[^\x20-\xff]/g, '');
}
