// @ts-check
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { provideChromium } from '../../test/support/browser/chromium.mjs';
import { ROOT } from '../../server/setup/dependencies.mjs';

/**
 * Draws the icons of the installed app into `public/icons/`: `npm run pictures -- icons`. The mark is that of the header,
 * `src/app/header.tsx`; systems cut a maskable icon to a shape of their own, so there it keeps to the inner circle.
 */
const FOLDER = join(ROOT, 'public/icons');
const LIGHT = '<path d="M9 0h14l-4 26h-6z" fill="#f6c453"/><ellipse cx="16" cy="26" rx="8" ry="3" fill="#f6c453"/>';

const ICONS = [
  { name: 'icon-192.png', pixels: 192, corner: 7, scale: 1 },
  { name: 'icon-512.png', pixels: 512, corner: 7, scale: 1 },
  { name: 'icon-maskable-512.png', pixels: 512, corner: 0, scale: 0.7 },
];

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: await provideChromium(), args: ['--no-sandbox'] });
for (const { name, pixels, corner, scale } of ICONS) {
  const page = await browser.newPage({ viewport: { width: pixels, height: pixels } });
  const inner = `<g transform="translate(16 16) scale(${scale}) translate(-16 -16)">${LIGHT}</g>`;
  const drawing = `<rect width="32" height="32" rx="${corner}" fill="#16181d"/>${inner}`;
  await page.setContent(
    `<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${pixels}" height="${pixels}" style="display:block">${drawing}</svg>`,
  );
  await page.screenshot({ path: join(FOLDER, name), omitBackground: true });
  await page.close();
}
await browser.close();
console.log(`${ICONS.length} icons are in ${FOLDER}.`);
