// @ts-check
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { provideChromium } from '../../test/support/browser/chromium.mjs';

/**
 * Reads files with known facts at known places, and prints which share of them the text holds, which the reader reports as not
 * read, and which it loses in silence: `npm run evaluate -- files`. `--reader DIR` names another checkout, whose reader is
 * measured on the same files. It ends with 1 when a fact is lost in silence.
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
/** @type {{ module: typeof import('../../src/files/pdf/read-pdf.ts') }} */
const { module: reader } = await load(resolve(values.reader, 'src/files/pdf/read-pdf.ts'));

const browser = await chromium.launch({ executablePath: await provideChromium() });
/** @type {MadeFile[]} */
const files = written.writtenFiles(each);
try {
  for (const one of printed.printedDocuments(each)) files.push(await print(one));
} finally {
  await browser.close();
}

/** @type {Map<string, { files: number, facts: number, held: number, reported: number, lost: number }>} */
const groups = new Map();
for (const file of files) {
  const outcomes = facts.outcomesOf(file.facts, await readingOf(file));
  const counts = groups.get(file.group) ?? { files: 0, facts: 0, held: 0, reported: 0, lost: 0 };
  groups.set(file.group, counts);
  counts.files++;
  for (const [index, outcome] of outcomes.entries()) {
    counts.facts++;
    counts[outcome]++;
    if (outcome === 'lost')
      console.error(`${file.name}: lost ${file.facts[index]?.place}: ${file.facts[index]?.words}`);
  }
}
console.table([...groups].map(([group, counts]) => ({ group, ...counts })));
const sum = (/** @type {'files' | 'facts' | 'held' | 'reported' | 'lost'} */ key) =>
  [...groups.values()].reduce((total, counts) => total + counts[key], 0);
console.log(
  `${sum('files')} files, ${sum('facts')} facts: ${sum('held')} held, ${sum('reported')} reported as not read, ${sum('lost')} lost in silence`,
);
process.exitCode = sum('lost') === 0 ? 0 : 1;

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
 * As `readFile` does, which refuses a file without text.
 *
 * @param {MadeFile} file
 * @returns {Promise<Reading>}
 */
async function readingOf({ bytes }) {
  try {
    const { text, unread = [] } = await reader.readPdf(bytes.slice(), {});
    return { text: text.trim() === '' ? null : text, unread };
  } catch (error) {
    if (error instanceof Error && 'problem' in error) return { text: null, unread: [] };
    throw error;
  }
}
