import type { Browser, Page } from 'playwright';
import { openApp, type Rows } from '../app.ts';
import { keepResult } from './large-matrix.ts';

/** As many as the page keeps over a reload. */
const SECTIONS = 5000;
/** How far a frame scrolls, pixels, and how many frames are counted. */
const [STEP, FRAMES] = [80, 240];

/** Frames while a text of 5,000 sections scrolls: as the page's heat map, and as plain coloured spans, in turn. */
export async function longText(browser: Browser, url: string, rounds: number): Promise<Rows> {
  const rows = [];
  for (let round = 1; round <= rounds; round++) {
    const heatMap = await scrolled(browser, (page) => openHeatMap(page, url));
    const spans = await scrolled(browser, (page) => page.evaluate(writeSpans, SECTIONS));
    rows.push({
      round,
      heatMapPerSecond: heatMap.perSecond,
      spansPerSecond: spans.perSecond,
      ratio: heatMap.perSecond / spans.perSecond,
      longestMs: heatMap.longestMs,
      longestOfSpansMs: spans.longestMs,
    });
  }
  return rows;
}

async function scrolled(browser: Browser, open: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  const page = await context.newPage();
  await open(page);
  const frames = await page.evaluate(scrollDown, [STEP, FRAMES] as const);
  await context.close();
  return frames;
}

async function openHeatMap(page: Page, url: string): Promise<void> {
  await keepResult(page, { sections: SECTIONS, words: 1 });
  await openApp(page, url);
  await page.waitForFunction((count) => {
    const root = document.querySelector('lightwell-heat-map')?.shadowRoot;
    return root?.querySelectorAll('[part=text] [data-section]').length === count;
  }, SECTIONS);
  await page.locator('lightwell-heat-map').evaluate((map) => map.scrollIntoView());
}

/** Runs in the page. */
function writeSpans(count: number): void {
  const text = document.createElement('p');
  text.style.font = '19px/2.05 serif';
  for (let at = 0; at < count; at++) {
    const span = document.createElement('span');
    span.textContent = `section${at}`;
    span.style.backgroundColor = `hsl(40 90% ${60 + (at % 40)}%)`;
    text.append(span, ' ');
  }
  document.body.append(text);
}

/** Runs in the page: frames each second while it scrolls, and the longest of them. */
export async function scrollDown([step, count]: readonly [number, number]): Promise<{
  perSecond: number;
  longestMs: number;
}> {
  const frame = () => new Promise<number>((drawn) => requestAnimationFrame(drawn));
  const start = await frame();
  let [last, longestMs] = [start, 0];
  for (let at = 0; at < count; at++) {
    scrollBy({ top: step, behavior: 'instant' });
    const now = await frame();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  }
  return { perSecond: (count * 1000) / (last - start), longestMs };
}
