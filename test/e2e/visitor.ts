import { expect, type BrowserContext, type Locator, type Page, type TestInfo } from '@playwright/test';

/** More stops than the page has. */
const MAX_STOPS = 80;

/** Presses Tab until an element has the focus, as a reader without a pointer does. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element.matches(':focus'))) return;
  }
  await expect(wanted, `reached by ${MAX_STOPS} presses of Tab`).toBeFocused();
}

/** Opens the field for another text than the model's own answer, and fills it. */
export async function fillTarget(page: Page, target: string): Promise<void> {
  const field = page.getByTestId('target');
  if (!(await field.isVisible())) await page.getByText('Explain another text').click();
  await field.fill(target);
}

/** Drops folders of this machine on the page, which takes them from where they lie, once it listens: before, the browser would open them. */
export async function dropFolder(page: Page, ...paths: readonly string[]): Promise<void> {
  await expect.poll(() => takesFiles(page), 'the page takes files that are dropped').toBe(true);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
}

/** Whether the page keeps the browser from opening a file that is dragged over it. */
function takesFiles(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'empty'));
    return !document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
  });
}

/** Drops a file where the page has nothing that takes one; true where the browser would have opened it. */
export function dropOnHeading(page: Page, name: string, bytes: readonly number[]): Promise<boolean> {
  return page.getByRole('heading', { level: 1 }).evaluate(
    (heading, [file, data]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(data)], file));
      return heading.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, bytes] as const,
  );
}

/** Keeps the page's own decoder away from a test that asks it nothing: its start is two thirds of a page's. */
export function withoutDecoder(context: BrowserContext): Promise<unknown> {
  return context.route('**/models/lightwell-base/**', (route) => route.abort());
}

/** A small phone, a usual one, and a screen of 4K. */
const WIDTHS = [320, 360, 3840];

/** Nothing is wider than the window on any screen; the window is as it was then. */
export async function fitsScreens(page: Page, what: string): Promise<void> {
  const size = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await fitsPhone(page, `${what} at ${width} pixels`);
  }
  if (size) await page.setViewportSize(size);
}

/** The window is as wide as what is in it, once drawings have followed its size. */
export async function fitsPhone(page: Page, what: string): Promise<void> {
  const beside = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(beside, what).toBe(0);
}

/** Leaves a picture of the whole page in `test-results/`, to be looked at; only where PICTURES is 1, because it takes a while. */
export async function leavePicture(page: Page, info: Pick<TestInfo, 'outputPath'>, name: string): Promise<void> {
  if (process.env['PICTURES'] === '1') await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
}

/** Init scripts reach pages only, so the worker's script itself gets the lines in front. */
export async function inFrontOfWorkers(context: BrowserContext, lines: string): Promise<void> {
  await context.route(/\.worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: lines + (await response.text()) });
  });
}
