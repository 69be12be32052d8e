import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Media = Parameters<Page['emulateMedia']>[0];

/** How a reader may see the page. */
const LOOKS: Readonly<Record<'light' | 'dark' | 'forced colours' | 'print', Media>> = {
  light: { media: 'screen', colorScheme: 'light', forcedColors: 'none' },
  dark: { media: 'screen', colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { media: 'screen', colorScheme: 'dark', forcedColors: 'active' },
  print: { media: 'print', colorScheme: 'dark', forcedColors: 'none' },
};
export type Look = keyof typeof LOOKS;

/** Axe finds nothing in this state of the page, of any severity, in any of the looks. */
export async function expectAccessible(page: Page, state: string, looks = Object.keys(LOOKS) as Look[]): Promise<void> {
  for (const look of looks) {
    await page.emulateMedia({ reducedMotion: 'reduce', ...LOOKS[look] });
    // The other way opens a page of its own for each run.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    const found = violations.map(
      ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join('\n')}`,
    );
    expect.soft(found, `${state}, ${look}`).toEqual([]); // soft: all states are told of
  }
  await page.emulateMedia({ reducedMotion: null, media: null, colorScheme: null, forcedColors: null });
}
