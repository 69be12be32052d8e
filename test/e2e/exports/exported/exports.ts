import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { fillTarget } from '../../visitor.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { colourOf, type Place, type Rgb } from './pixels.ts';

/** Several scripts, and characters that some format reads as its own. */
export const PROMPT = 'قال أحمد: باريس جميلة\nThe <b> & "C:\\{x}" of 50 % #1_a is =1+1 👩‍👩‍👧. Paris is the capital of';
/** Two words, so that there is a matrix. */
export const TARGET = ' France, فرنسا';

/** A section with a colour on the screen. */
export interface Shown {
  readonly text: string;
  /** Nats. */
  readonly score: number;
  readonly colour: Rgb;
}

/** Saved files, and what the screen showed meanwhile. */
export interface Exports {
  readonly shown: readonly Shown[];
  path(name: string): string;
  file(name: string): Buffer;
  remove(): void;
}

/** Everything that can be saved, in the words of the dialog. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'Heat map': ['SVG', 'PNG', 'PDF', 'HTML', 'LaTeX'],
  Bars: ['SVG', 'PNG', 'PDF'],
  'By target word': ['SVG', 'PNG', 'PDF'],
  Numbers: ['CSV', 'JSON'],
  Report: ['HTML'],
  'Share picture': ['PNG'],
};

/** Asks, and saves the result in every format; the dialog is left open. */
export async function saveAll(app: Page): Promise<Exports> {
  const shown = await explained(app);
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-exports-'));
  const path = (name: string) => join(folder, name);
  await app.getByRole('button', { name: 'Save or share' }).focus();
  await app.keyboard.press('Enter');
  for (const [thing, formats] of Object.entries(OFFERED)) {
    for (const format of formats) await save(app, { thing, format, path });
  }
  return { shown, path, file: (name) => readFileSync(path(name)), remove: () => rmSync(folder, { recursive: true }) };
}

/** Asks, waits for the end, and reads the coloured sections of the heat map. */
async function explained(app: Page): Promise<Shown[]> {
  await app.getByTestId('prompt').fill(PROMPT);
  await fillTarget(app, TARGET);
  await app.getByRole('radio', { name: 'Word', exact: true }).check({ force: true });
  const button = app.getByRole('button', { name: 'Ask', exact: true });
  await button.click();
  await expect(app.getByTestId('matrix')).toBeVisible();
  await expect(button).toBeVisible(); // while it runs, another stands in its place
  const sections = app.locator('[part=text]').locator('[data-sign]:not([data-sign=neutral])');
  const all = await sections.evaluateAll((elements) =>
    elements.map((element) => {
      element.style.transition = 'none'; // a colour on its way is neither the old one nor the new one
      return {
        text: element.textContent ?? '',
        score: Number(element.getAttribute('data-score')),
        css: getComputedStyle(element).backgroundColor,
      };
    }),
  );
  return Promise.all(all.map(async ({ css, ...one }) => ({ ...one, colour: await colourOf(app, css) })));
}

/** What to save, and where. */
interface Saving {
  readonly thing: string;
  readonly format: string;
  path(name: string): string;
}

/** Saves with the keyboard; the button keeps the focus. */
async function save(app: Page, { thing, format, path }: Saving): Promise<void> {
  const dialog = app.getByTestId('export');
  await dialog.getByRole('radio', { name: thing, exact: true }).check({ force: true });
  const choice = dialog.getByRole('radio', { name: format, exact: true });
  if ((await choice.count()) > 0) await choice.check({ force: true });
  const button = dialog.getByRole('button', { name: format === 'PDF' ? 'Print' : `Save ${format}` });
  await button.focus();
  if (format === 'PDF') return print(app, path).then(() => expect(button).toBeFocused());
  const [download] = await Promise.all([app.waitForEvent('download'), app.keyboard.press('Enter')]);
  const name = download.suggestedFilename();
  await download.saveAs(path(name));
  await expect(dialog.getByRole('status')).toHaveText(`Saved ${name}`);
  await expect(button).toBeFocused();
}

/** What the print dialog writes: on a page of the size that the page asks for, without backgrounds, as dialogs begin. */
async function print(app: Page, path: Saving['path']): Promise<void> {
  const title = await app.title();
  // Replaced before the key is pressed: without a window the dialog closes at once, and the figure is gone.
  await app.evaluate(() => (window.print = () => undefined));
  await app.keyboard.press('Enter');
  await expect(app, 'the name of the file').not.toHaveTitle(title);
  await app.pdf({ path: path(`${await app.title()}.pdf`), preferCSSPageSize: true, printBackground: false });
  await expect(app, 'afterwards').toHaveTitle(title);
}

/** A place in each coloured section of a saved heat map, in their order. */
export function placesIn(svg: string): Place[] {
  const grounds = svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="24.3" /g);
  return [...grounds].map(([, x, y, width]) => ({ x: Number(x) + Number(width) / 2, y: Number(y) + 2 }));
}

/** A file as the source of an image. */
export function imageSource(type: 'png' | 'svg+xml', content: Buffer): string {
  return `data:image/${type};base64,${content.toString('base64')}`;
}
