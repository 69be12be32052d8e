import type { Browser } from 'playwright';
import type { Rows } from '../app.ts';

/** What is noted of a first visit, in milliseconds since the navigation. */
interface Noted {
  firstPaintMs: number;
  firstScoresMs: number;
  explainedMs: number;
}

/** First visits, each in a fresh profile: when the page is painted first, and when the explanation of its example is on screen. */
export async function firstVisits(browser: Browser, url: string, rounds: number): Promise<Rows> {
  const rows: Record<string, number>[] = [];
  for (let round = 1; round <= rounds; round++) {
    const { firstPaintMs, firstScoresMs, explainedMs } = await firstVisit(browser, url);
    const ratios = { scoresRatio: firstScoresMs / firstPaintMs, explainedRatio: explainedMs / firstPaintMs };
    rows.push({ round, firstPaintMs, firstScoresMs, explainedMs, ...ratios });
  }
  return rows;
}

async function firstVisit(browser: Browser, url: string): Promise<Noted> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(noteVisit);
    await page.goto(`${url}?backend=wasm`);
    await page.waitForFunction(() => Number.isFinite(globalThis.noted.explainedMs));
    return await page.evaluate(() => ({
      ...globalThis.noted,
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    }));
  } finally {
    await context.close();
  }
}

declare global {
  // A global variable that a script of the page sets.
  var noted: Noted;
}

/** Runs in the page, before its scripts: notes when elements are there, at the frame that shows them. */
function noteVisit(): void {
  globalThis.noted = { firstPaintMs: NaN, firstScoresMs: NaN, explainedMs: NaN };
  const note = (name: keyof Noted) => {
    if (Number.isNaN(noted[name])) requestAnimationFrame(() => (noted[name] = performance.now()));
  };
  new MutationObserver(() => {
    if (!document.querySelector('lightwell-heat-map')) return;
    note('firstScoresMs');
    if (document.querySelector('[data-testid=explain]')) note('explainedMs'); // while it runs, the button cancels
  }).observe(document, { subtree: true, childList: true, attributes: true });
}
