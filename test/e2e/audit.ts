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
    const violations = await (index === 0 ? violationsIn(page, within) : violationsOfLook(page, within));
    const found = violations.map(
      ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join('\n')}`,
    );
    expect.soft(found, `${state}, ${look}`).toEqual([]); // soft: all states are told of
  }
  await page.emulateMedia({ reducedMotion: null, media: null, colorScheme: null, forcedColors: null });
}

/** What is read of a rule that is broken. */
interface Violation {
  readonly id: string;
  readonly impact?: string | null | undefined;
  readonly nodes: readonly { readonly html: string }[];
}

/** Brings axe into the page, and asks all rules. */
async function violationsIn(page: Page, within: string | undefined): Promise<readonly Violation[]> {
  const whole = new AxeBuilder({ page }).setLegacyMode(true); // the other way opens a page of its own for each run
  return (await (within === undefined ? whole : whole.include(within)).analyze()).violations;
}

/** Asks the rules of looks of the axe that the page has by then: bringing it in again costs more than they do. */
function violationsOfLook(page: Page, within: string | undefined): Promise<readonly Violation[]> {
  return page.evaluate(
    async ([context, values]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> };
      };
      const { violations } = await axe.run(context === undefined ? document : { include: [[context]] }, {
        runOnly: { type: 'rule', values },
        resultTypes: ['violations'],
      });
      return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) }));
    },
    [within, RULES_OF_LOOKS] as const,
  );
}
