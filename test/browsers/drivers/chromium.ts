import { chromium } from 'playwright';
import { launchOptions } from '../../e2e/browser.ts';
import type { Driver } from './driver.ts';

/** Chromium, driven by Playwright as in the end-to-end tests. */
export async function openChromium(): Promise<Driver> {
  const browser = await chromium.launch(await launchOptions({ webgpu: false }));
  const page = await browser.newPage();
  return {
    version: `Chromium ${browser.version()}`,
    open: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate<string>(expression),
    close: () => browser.close(),
  };
}
