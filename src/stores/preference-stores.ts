import type { StoreApi } from 'zustand/vanilla';
import { bestLanguage, LANGUAGES, switchLanguage } from '../words/languages.ts';
import { createLatest } from './latest-request.ts';
import { type BufferedStorage, createPersistentStore } from './buffered-storage.ts';

type Language = (typeof LANGUAGES)[number];

/** `system` follows the browser. */
export type LanguageChoice = Language | 'system';

interface LanguageState {
  readonly choice: LanguageChoice;
  /** The language of the browser, as far as the page speaks it. */
  readonly system: Language;
  /** What is spoken; a choice is spoken once its table has loaded. */
  readonly current: Language;
  /** The table of the last choice could not be loaded. */
  readonly isFailed: boolean;
  choose(choice: LanguageChoice): Promise<void>;
}

/** Speaks English until `choose` is called, before the page is drawn. @param wanted  languages, the best first */
export function createLanguageStore(memory: BufferedStorage, wanted: readonly string[]): StoreApi<LanguageState> {
  const system = bestLanguage(wanted);
  const latest = createLatest();
  return createPersistentStore<LanguageState, 'choice'>(
    'lightwell.language',
    memory,
    { choice: (stored) => LANGUAGES.find((language) => language === stored) ?? 'system' },
    (set) => ({
      choice: 'system',
      system,
      current: 'en',
      isFailed: false,
      async choose(choice) {
        const language = choice === 'system' ? system : choice;
        set({ choice, isFailed: false });
        const change = await latest.run<Partial<LanguageState>>({
          request: async ({ signal }) => {
            await switchLanguage(language, () => !signal.aborted);
            return { current: language };
          },
          onError: () => ({ isFailed: true }), // said beside the choice
        });
        if (change) set(change);
      },
    }),
  );
}

/** `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

interface ThemeState {
  readonly theme: Theme;
  choose(theme: Theme): void;
}

/** The theme as it was chosen. */
export function createThemeStore(memory: BufferedStorage): StoreApi<ThemeState> {
  return createPersistentStore<ThemeState, 'theme'>(
    'lightwell',
    memory,
    { theme: (stored) => THEMES.find((theme) => theme === stored) ?? 'system' },
    (set) => ({ theme: 'system', choose: (theme) => set({ theme }) }),
  );
}
