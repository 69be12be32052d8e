import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type Axe from 'axe-core';

type Media = Parameters<Page['emulateMedia']>[0];

/** A page is given the script once. Axe's own package for Playwright does so twice for each question, and takes all that is right out again. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** How a reader may see the page. */
const LOOKS: Readonly<Record<'light' | 'dark' | 'forced colours' | 'print', Media>> = {
  light: { media: 'screen', colorScheme: 'light', forcedColors: 'none' },
  dark: { media: 'screen', colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { media: 'screen', colorScheme: 'dark', forcedColors: 'active' },
  print: { media: 'print', colorScheme: 'dark', forcedColors: 'none' },
};
export type Look = keyof typeof LOOKS;

/** The rules whose outcome a look can change; names, roles and order are the same in all of them. */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/**
 * Axe finds nothing in this state of the page, of any severity, in any of the looks; all rules are asked in the first.
 *
 * @param within  the part that differs from a state that was looked at before; left out: the whole page
 */
export async function expectAccessible(
  page: Page,
  state: string,
  looks = Object.keys(LOOKS) as Look[],
  within?: string,
): Promise<void> {
  for (const [index, look] of looks.entries()) {
    await page.emulateMedia({ reducedMotion: 'reduce', ...LOOKS[look] });
    // Colours change over a frame or two; before that, a busy machine shows those of the look before.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const found = await violationsIn(page, within, index === 0 ? undefined : RULES_OF_LOOKS);
    expect.soft(found, `${state}, ${look}`).toEqual([]); // soft: all states are told of
  }
  await page.emulateMedia({ reducedMotion: null, media: null, colorScheme: null, forcedColors: null });
}

/** The rules that are broken, each with the elements that break it. Asked of the page's own frame: none of ours has another. */
async function violationsIn(page: Page, within: string | undefined, values?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(
    async ([context, rules]) => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      const { violations } = await axe.run(context === undefined ? document : { include: [[context]] }, {
        ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
        resultTypes: ['violations'], // of what is right it writes down a single element: thousands cost more than the rules
      });
      return violations.map(
        ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join('\n')}`,
      );
    },
    [within, values] as const,
  );
}
