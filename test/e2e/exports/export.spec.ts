import { pathToFileURL } from 'node:url';
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { questionIn } from '../../../src/pages/explain/share-link.ts';
import { latexOf } from '../../../src/figures/writers/latex.ts';
import { madeUpContent } from '../../support/figures/source.ts';
import { expectAccessible } from '../audit.ts';
import { plain, test } from '../fixture.ts';
import { type Exports, imageSource, placesIn, PROMPT, saveAll, TARGET } from './exported/exports.ts';
import { colourOf, coloursIn, differenceOf, isAlike, pictureSize } from './exported/pixels.ts';
import { compileLatex, LATEX, PDF_TOOL, pdfAsPng, pdfText } from './exported/tools.ts';

// One page goes through it all: opening one, with its model, is what such a test costs.
test('a result is saved in every format, and each file shows what the screen shows', async ({
  freshApp: app,
  context,
}, { annotations }) => {
  const exports = await test.step('saves every file', () => saveAll(app));
  try {
    expect(exports.shown.length, 'coloured sections').toBeGreaterThan(3);
    const dialog = app.getByTestId('export');
    await test.step('is accessible', () => expectAccessible(app, 'the exports', ['light', 'dark', 'forced colours']));
    await test.step('makes a link that holds the text only where that is agreed', () => expectLinks(dialog));
    await test.step('copies picture and link with one press each', () => expectCopies(app, context));
    await test.step('gives the focus back', async () => {
      await app.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(app.getByRole('button', { name: 'Save or share' })).toBeFocused();
      await app.keyboard.press('Enter');
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Close' }).press('Enter');
      await expect(app.getByRole('button', { name: 'Save or share' })).toBeFocused();
    });
    const viewer = await context.newPage();
    await test.step('SVG and PNG have the colours of the screen', () => expectPictures(viewer, exports));
    if (PDF_TOOL) await test.step('PDF shows what PNG shows', () => expectPdf(viewer, exports));
    else annotations.push({ type: 'skip', description: 'PDF not drawn: neither pdftoppm nor gs is on this machine' });
    await test.step('CSV and JSON have the numbers of the screen', () => expectNumbers(exports));
    await test.step('HTML has the colours and the text of the screen', () => expectHtml(viewer, exports));
    await test.step('the report runs nothing and asks for nothing', () => expectReport(viewer, exports));
  } finally {
    exports.remove();
  }
});

async function expectLinks(dialog: Locator): Promise<void> {
  const link = async () => questionIn(new URL((await dialog.getByTestId('link').textContent()) ?? '').hash);
  await dialog.getByRole('radio', { name: 'Link', exact: true }).check({ force: true });
  expect(Object.keys((await link()) ?? {})).toEqual(['settings']);
  await dialog.getByRole('checkbox', { name: 'Include prompt and target' }).check();
  expect(await link()).toMatchObject({ prompt: PROMPT, target: TARGET, picture: null });
}

/** The dialog is closed for it, and opened again. */
async function expectCopies(app: Page, context: BrowserContext): Promise<void> {
  await app.keyboard.press('Escape');
  const told = app.getByTestId('shared');
  // As a browser that copies no pictures, or was told not to.
  await app.evaluate(() =>
    Object.defineProperty(navigator.clipboard, 'write', {
      value: () => Promise.reject(new Error('no')),
      configurable: true,
    }),
  );
  const [download] = await Promise.all([app.waitForEvent('download'), app.getByTestId('copy-picture').click()]);
  expect(download.suggestedFilename()).toBe('share.png');
  await expect(told).toContainText('share.png is saved instead');
  await app.evaluate(() => Reflect.deleteProperty(navigator.clipboard, 'write'));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.getByTestId('copy-picture').click();
  await expect(told).toHaveText('The picture with headline and heat map is copied.');
  const size = await app.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const { width, height } = await createImageBitmap((await item?.getType('image/png')) ?? new Blob());
    return [width, height];
  });
  expect(size).toEqual([1200, 630]);
  await app.getByTestId('copy-link').click();
  await expect(told).toContainText(
    'After # it holds your prompt, your target and the settings: anyone who has the link can read them',
  );
  const link = await app.evaluate(() => navigator.clipboard.readText());
  await app.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
  await app.getByTestId('copy-link').click();
  await expect(told, 'as in an insecure page').toContainText('The browser did not copy the link.');
  await app.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'));
  expect(questionIn(new URL(link).hash)).toMatchObject({ prompt: PROMPT, picture: null });
  await app.getByRole('button', { name: 'Save or share' }).click();
}

async function expectPictures(viewer: Page, { shown, file }: Exports): Promise<void> {
  const svg = file('heat-map.svg');
  const places = placesIn(svg.toString());
  expect(places, 'no section of this prompt is on two lines').toHaveLength(shown.length);
  const sources = [
    [imageSource('svg+xml', svg), 1],
    [imageSource('png', file('heat-map.png')), 2],
  ] as const;
  for (const [source, scale] of sources) {
    const colours = await coloursIn(viewer, source, { places, scale });
    for (const [index, { colour, text }] of shown.entries()) expect(isAlike(colours[index], colour), text).toBe(true);
  }
  for (const name of ['heat-map', 'strongest-sections', 'by-target-word']) {
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(file(`${name}.svg`).toString()) ?? [];
    expect(pictureSize(file(`${name}.png`)), name).toEqual([2 * Number(width), 2 * Number(height)]);
  }
  expect(pictureSize(file('share.png'))).toEqual([1200, 630]);
}

/** Mean difference of two drawings of one figure; an empty page differs by 4 to 8. */
const MAX_DIFFERENCE = 2.5;
/** A PNG file has two pixels for each point, a point is the 72nd part of an inch. */
const DOTS_PER_INCH = 144;

async function expectPdf(viewer: Page, { shown, file, path }: Exports): Promise<void> {
  const places = placesIn(file('heat-map.svg').toString());
  const heat = imageSource('png', pdfAsPng(path('heat-map.pdf'), DOTS_PER_INCH));
  const colours = await coloursIn(viewer, heat, { places, scale: 2 });
  for (const [index, { colour, text }] of shown.entries()) expect(isAlike(colours[index], colour), text).toBe(true);
  for (const name of ['heat-map', 'strongest-sections', 'by-target-word']) {
    const page = imageSource('png', pdfAsPng(path(`${name}.pdf`), DOTS_PER_INCH));
    const difference = await differenceOf(viewer, [page, imageSource('png', file(`${name}.png`))]);
    expect(difference, name).toBeLessThan(MAX_DIFFERENCE);
  }
  const text = pdfText(path('heat-map.pdf'))?.normalize('NFKC'); // browsers write Arabic letters in the form that they are drawn in
  if (text !== undefined) for (const word of ['capital', 'جميلة', '#1_a']) expect(text).toContain(word);
}

function expectNumbers({ shown, file }: Exports): void {
  const [head = [], ...rows] = parsedCsv(file('scores.csv').toString());
  const column = (name: string) => head.indexOf(name);
  for (const { text, score } of shown) {
    const named = rows.filter((row) => row[column('section')]?.replace(/^'/, '') === text);
    expect(
      named.map((row) => Number(row[column('whole target')])),
      text,
    ).toContain(score);
  }
  expect(rows.every((row) => row[column('control_factor')] === '0.1')).toBe(true);
  const { request, response } = JSON.parse(file('scores.json').toString()) as SavedJson;
  expect(request.prompt).toBe(PROMPT);
  const scores = response.explanations.map(({ items }) => items.find(({ type }) => type === 'text')?.scores ?? []);
  const totals = scores[0]?.map((_, section) => scores.reduce((sum, one) => sum + (one[section]?.score ?? 0), 0)) ?? [];
  for (const { score, text } of shown)
    expect(
      totals.some((total) => Math.abs(total - score) < 1e-9),
      text,
    ).toBe(true);
}

/** What is read of a saved JSON file. */
interface SavedJson {
  readonly request: { readonly prompt: string };
  readonly response: {
    readonly explanations: readonly {
      readonly items: readonly { readonly type: string; readonly scores: readonly { readonly score: number }[] }[];
    }[];
  };
}

/** Rows of cells. @source RFC 4180 */
function parsedCsv(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows;
}

async function expectHtml(viewer: Page, { shown, file }: Exports): Promise<void> {
  await viewer.setContent(file('heat-map.html').toString());
  const body = viewer.locator('figure > div');
  expect(await body.textContent()).toBe(PROMPT);
  const spans = await body
    .locator('span[style]')
    .evaluateAll((all) =>
      all.map((span) => ({ text: span.textContent ?? '', css: getComputedStyle(span).backgroundColor })),
    );
  expect(spans.map(({ text }) => text)).toEqual(shown.map(({ text }) => text));
  for (const [index, { css, text }] of spans.entries())
    expect(isAlike(await colourOf(viewer, css), shown[index]?.colour), text).toBe(true);
  const [first = 0, last = 0] = await body.locator('span').evaluateAll((all) => {
    const arabic = all.filter((span) => /[\u0600-\u06FF]/.test(span.textContent ?? ''));
    return [arabic[0], arabic.at(-1)].map((span) => span?.getBoundingClientRect().left ?? 0);
  });
  expect(first, 'Arabic runs from right to left').toBeGreaterThan(last);
}

async function expectReport(viewer: Page, { path }: Exports): Promise<void> {
  const address = pathToFileURL(path('report.html')).href;
  const requests: string[] = [];
  viewer.on('request', (request) => requests.push(request.url()));
  await viewer.goto(address);
  expect(requests).toEqual([address]);
  await expect(viewer.locator('script')).toHaveCount(0);
  await expect(viewer.locator('svg')).toHaveCount(3);
  expect(await viewer.locator('pre').first().textContent()).toBe(PROMPT);
  for (const name of ['control_factor', 'control_log_additive', 'model_version'])
    await expect(viewer.getByRole('cell', { name, exact: true })).toBeVisible();
}

plain('the LaTeX file compiles, whatever characters the prompt has', () => {
  plain.skip(LATEX === undefined, 'no pdflatex on this machine');
  const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
  const prompt = `${ascii}\n\n---,,''\n${'x'.repeat(200)} Größe “quoted” … − × ≥ ‘a’\n`;
  compileLatex(latexOf(madeUpContent({ prompt, target: ascii, scores: { [prompt]: [2] } })));
});
