import type { BrowserContext } from 'playwright';
import { FIRST_QUESTION } from '../../src/pages/explain/explain-store.ts';

const KEY = 'lightwell.explain.question';
const KEPT = JSON.stringify({ version: 1, value: FIRST_QUESTION });

/**
 * Makes the visitor of a context one who was there before, and whose browser asks to save data: a first visit explains its
 * example at once and keeps the app's files, which would run beside whatever is tested or measured.
 */
export function makeReturning(context: Pick<BrowserContext, 'addInitScript'>): Promise<unknown> {
  return context.addInitScript(
    ([key, kept]) => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
      try {
        if (localStorage.getItem(key) === null) localStorage.setItem(key, kept);
      } catch {
        // A page without storage forgets; its first visit never ends.
      }
    },
    [KEY, KEPT] as const,
  );
}
