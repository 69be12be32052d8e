import type { Browser } from 'playwright';
import { scrollDown } from '../screen/long-text.ts';
import { tasksDuring } from '../screen/tasks-during.ts';

/** Time for what a page draws after it has loaded. */
const SETTLE_MS = 5000;
/** How far a frame scrolls, pixels, and how many frames are counted. */
const SCROLL = [80, 240] as const;

/** Opens a page of scores and scrolls it: longest tasks in milliseconds of processor time, and frames each second. */
export async function measureHeatMap(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    const [opening] = await tasksDuring(page, async () => {
      await page.goto(url);
      await page.waitForTimeout(SETTLE_MS);
    });
    let frames = { perSecond: 0, longestMs: 0 };
    const [scrolling] = await tasksDuring(page, async () => {
      frames = await page.evaluate(scrollDown, SCROLL);
    });
    return {
      longestTaskMs: opening?.cpuMs ?? 0,
      longestScrollingMs: scrolling?.cpuMs ?? 0,
      framesPerSecond: frames.perSecond,
      longestFrameMs: frames.longestMs,
    };
  } finally {
    await context.close();
  }
}
