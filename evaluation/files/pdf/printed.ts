import type { Fact } from '../made-file.ts';
import { type Invented, inventedBy } from '../invented.ts';

/** A document as HTML, to be printed as a PDF. */
export interface Printed {
  readonly name: string;
  readonly group: string;
  readonly html: string;
  /** Repeated in the margins of each page; empty for none. */
  readonly head: string;
  readonly facts: readonly Fact[];
}

const FILLER =
  'Both parties report damage at once and in writing, and neither of them may let the rooms to others without the consent ' +
  'of the other party, which is not refused without a reason that can be checked.';

/** A sentence around words, in a paragraph of other sentences. */
const paragraph = (sentence: string) => `<p>${FILLER} ${sentence} ${FILLER}</p>`;

const style = 'font: 11pt serif; line-height: 1.35';

/** Letters, leases, invoices, payslips and papers in two columns. @param each  how many of each kind */
export function printedDocuments(each: number): Printed[] {
  return [letter, lease, invoice, payslips, paper].flatMap((make, kind) =>
    Array.from({ length: each }, (_, i) => {
      const { group, html, head, facts } = make(inventedBy(1000 * kind + i));
      return { name: `${group}-${i}.pdf`, group: `${group}, printed`, html, head, facts };
    }),
  );
}

type Made = Omit<Printed, 'name'>;

function letter(some: Invented): Made {
  const [person, address, date, number] = [some.person(), some.address(), some.date(), some.number()];
  const notice = `I give notice for the end of ${date} and ask for the return of the deposit`;
  return {
    group: 'letter',
    head: '',
    html: `<div style="${style}"><p>${person}<br>${address}</p><p style="text-align:right">${date}</p><h1>Contract ${number}</h1>
      <p>Dear landlord,</p>${paragraph(`${notice}.`)}<div style="border:1px solid;padding:1em">Account: DE ${number}</div></div>`,
    facts: [
      { place: 'address', words: address },
      { place: 'text', words: notice },
      { place: 'box', words: `Account: DE ${number}` },
    ],
  };
}

function lease(some: Invented): Made {
  const [landlord, tenant, number, rent] = [some.person(), some.person(), some.number(), some.amount()];
  const clauses = Array.from({ length: 14 }, (_, i) => `<h2>${i + 1}. Clause</h2>${paragraph('')}`);
  const paid = `The tenant ${tenant} pays a rent of ${rent} euros each month to ${landlord}`;
  return {
    group: 'lease',
    head: `Lease ${number}`,
    html: `<div style="${style};text-align:justify;hyphens:auto" lang="en"><h1>Lease</h1>${clauses.join('')}${paragraph(`${paid}.`)}
      ${clauses.join('')}<p>Signed by <input value="${tenant}"> for the tenant.</p></div>`,
    facts: [
      { place: 'header', words: `Lease ${number}` },
      { place: 'text', words: paid },
      { place: 'field', words: `Signed by ${tenant} for the tenant` },
    ],
  };
}

function invoice(some: Invented): Made {
  const rows = ['Paint', 'Brushes', 'Ladder', 'Varnish'].map((item) => [
    item,
    String(1 + some.below(9)),
    some.amount(),
  ]);
  const [total, number] = [some.amount(), some.number()];
  const cells = (row: readonly string[]) =>
    `<tr>${row.map((cell) => `<td style="padding:0 3em 0 0">${cell}</td>`).join('')}</tr>`;
  return {
    group: 'invoice',
    head: '',
    html: `<div style="${style}"><h1>Invoice ${number}</h1><table>${cells(['Item', 'Pieces', 'Price'])}${rows.map(cells).join('')}</table>
      <p>Total in euros:</p><p>${total}</p><footer style="font-size:8pt">Register of ${some.address()}</footer></div>`,
    facts: [
      ...rows.map((row) => ({ place: 'table', words: row.join(' ') })),
      { place: 'last line', words: `Total in euros: ${total}` },
      { place: 'heading', words: `Invoice ${number}` },
    ],
  };
}

function payslips(some: Invented): Made {
  const person = some.person();
  const pays = Array.from({ length: 4 }, () => some.amount());
  const slips = pays.map(
    (pay, i) => `<section style="break-after:page"><h1>Payslip of ${person}</h1><p>Month: ${i + 1}/2026</p>
      <p>Net pay: ${pay} euros</p><p>Paid on: ${i + 3} May</p></section>`,
  );
  return {
    group: 'payslips',
    head: '',
    html: `<div style="${style}">${slips.join('')}</div>`,
    facts: pays.map((pay) => ({ place: 'form', words: `Net pay: ${pay} euros` })),
  };
}

function paper(some: Invented): Made {
  const [author, score, note] = [some.person(), some.amount(), some.number()];
  const found = `The reader of ${author} reaches a score of ${score} on the held-out texts of the second year`;
  const text = Array.from({ length: 10 }, () => paragraph('')).join('');
  return {
    group: 'paper',
    head: 'Proceedings of the Harbour Workshop',
    html: `<div style="${style};columns:2;text-align:justify"><h1>Reading files</h1><p>${author}</p>${text}${paragraph(`${found}.`)}${text}
      <p style="font-size:8pt"><sup>1</sup> The data are kept under the number ${note} in the library.</p></div>`,
    facts: [
      { place: 'column', words: found },
      { place: 'footnote', words: `The data are kept under the number ${note} in the library` },
      { place: 'header', words: 'Proceedings of the Harbour Workshop' },
    ],
  };
}
