// @ts-check
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { provideChromium } from '../../test/support/browser/chromium.mjs';

/**
 * Reads files with known facts at known places, and prints which share of them the text holds, which the reader reports as not
 * read, which it loses in silence, and which it reads although nobody sees them: `npm run evaluate -- files`. `--reader DIR` names
 * another checkout, whose readers are measured on the same files. It ends with 1 when there is one of the last two.
 *
 * @typedef {import('./made-file.ts').MadeFile} MadeFile
 * @typedef {import('./made-file.ts').Reading} Reading
 */
const { values } = parseArgs({
  options: { reader: { type: 'string', default: '.' }, each: { type: 'string', default: '8' } },
});
const each = Number(values.each);

/** @type {{ module: typeof import('./pdf/printed.ts') }} */
const { module: printed } = await load('./evaluation/files/pdf/printed.ts');
/** @type {{ module: typeof import('./pdf/written.ts') }} */
const { module: written } = await load('./evaluation/files/pdf/written.ts');
/** @type {{ module: typeof import('./made-file.ts') }} */
const { module: facts } = await load('./evaluation/files/made-file.ts');
/** @type {{ module: typeof import('./other-files.ts') }} */
const { module: others } = await load('./evaluation/files/other-files.ts');
/** @type {{ module: typeof import('../../src/files/pdf/read-pdf.ts') }} */
const { module: pdf } = await load(resolve(values.reader, 'src/files/pdf/read-pdf.ts'));
/** @type {{ module: typeof import('../../src/files/read-markdown.ts') }} */
const { module: markdown } = await load(resolve(values.reader, 'src/files/read-markdown.ts'));
/** @type {{ module: typeof import('../../src/files/plain-text.ts') }} */
const { module: plain } = await load(resolve(values.reader, 'src/files/plain-text.ts'));
/** @type {{ module: typeof import('../../src/files/read-word.ts') }} */
const { module: word } = await load(resolve(values.reader, 'src/files/read-word.ts'));
/** @type {{ module: typeof import('../../test/support/fakes/page.ts') }} */
const { module: fakes } = await load(resolve(values.reader, 'test/support/fakes/page.ts'));
/** @type {{ module: typeof import('../../src/files/table/csv.ts') }} */
const { module: tables } = await load(resolve(values.reader, 'src/files/table/csv.ts'));

/** @type {Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Reading | Promise<Reading>>>} */
const READERS = {
  '.pdf': (bytes) => pdf.readPdf(bytes, {}),
  '.docx': (bytes) => word.readWord(bytes, {}, fakes.documentsPort),
  '.md': markdown.readMarkdown,
  '.txt': plain.readPlainText,
  '.csv': readTable,
  '.tsv': readTable,
};

const browser = await chromium.launch({ executablePath: await provideChromium() });
/** @type {MadeFile[]} */
const files = [...written.writtenFiles(each), ...(await others.otherFiles(5 * each))];
try {
  for (const one of printed.printedDocuments(each)) files.push(await print(one));
} finally {
  await browser.close();
}

/** @typedef {{ files: number, facts: number, held: number, reported: number, lost: number, exposed: number }} Counts */
/** @type {Map<string, Counts>} */
const groups = new Map();
for (const file of files) {
  const outcomes = facts.outcomesOf(file.facts, await readingOf(file));
  const counts = groups.get(file.group) ?? { files: 0, facts: 0, held: 0, reported: 0, lost: 0, exposed: 0 };
  groups.set(file.group, counts);
  counts.files++;
  for (const [index, outcome] of outcomes.entries()) {
    counts.facts++;
    counts[outcome]++;
    if (outcome === 'lost' || outcome === 'exposed')
      console.error(`${file.name}: ${outcome} ${file.facts[index]?.place}: ${file.facts[index]?.words}`);
  }
}
console.table([...groups].map(([group, counts]) => ({ group, ...counts })));
const sum = (/** @type {keyof Counts} */ key) => [...groups.values()].reduce((total, counts) => total + counts[key], 0);
console.log(
  `${sum('files')} files, ${sum('facts')} facts: ${sum('held')} held, ${sum('reported')} reported as not read, ` +
    `${sum('lost')} lost in silence, ${sum('exposed')} read although unseen`,
);
process.exitCode = sum('lost') + sum('exposed') === 0 ? 0 : 1;

/** @param {string} path */
async function load(path) {
  return /** @type {any} */ (await runnerImport(path, { configFile: false, logLevel: 'error' }));
}

/**
 * @param {import('./pdf/printed.ts').Printed} document
 * @returns {Promise<MadeFile>}
 */
async function print({ name, group, html, head, facts }) {
  const page = await browser.newPage();
  await page.setContent(html);
  const line = (/** @type {string} */ text) => `<div style="font-size:8px;width:100%;text-align:center">${text}</div>`;
  const bytes = await page.pdf({
    format: 'A4',
    margin: { top: '2cm', bottom: '2cm', left: '2cm', right: '2cm' },
    displayHeaderFooter: head !== '',
    headerTemplate: line(head),
    footerTemplate: line('Page <span class="pageNumber"></span> of <span class="totalPages"></span>'),
  });
  await page.close();
  return { name, group, bytes: Uint8Array.from(bytes), facts };
}

/**
 * By the reader that the page uses for its kind; that of Word files works in this thread. A file without text is refused.
 *
 * @param {MadeFile} file
 * @returns {Promise<Reading>}
 */
async function readingOf({ name, bytes }) {
  const read = READERS[name.slice(name.lastIndexOf('.'))];
  if (!read) throw new RangeError(`expected a file of a kind that is read, got ${name}`);
  try {
    const { text, unread } = await read(bytes.slice());
    return { text: text?.trim() ? text : null, unread };
  } catch (error) {
    if (error instanceof Error && 'problem' in error) return { text: null, unread: [] };
    throw error;
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
function readTable(bytes) {
  const { names, rows, unread } = tables.readCsv(bytes);
  return { text: [names, ...rows].map((row) => row.join(' ')).join('\n'), unread };
}
