import { persist } from 'zustand/middleware';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { bestLanguage, type Language, LANGUAGES, speakLanguage } from '../../words/languages.ts';
import { asIs, createFieldStorage } from '../storage/field-storage.ts';
import type { Memory } from '../storage/memory.ts';

/** `system` follows the browser. */
export type LanguageChoice = Language | 'system';

/** Which language the page speaks. */
export interface LanguageState {
  readonly choice: LanguageChoice;
  /** The language of the browser, as far as the page speaks it. */
  readonly system: Language;
  /** What is spoken; a choice is spoken once its table has loaded. */
  readonly spoken: Language;
  /** The table of the last choice could not be loaded. */
  readonly isFailed: boolean;
  choose(choice: LanguageChoice): Promise<void>;
}
export type LanguageStore = StoreApi<LanguageState>;

/** The browser's languages, the best first. */
export type WantedLanguages = readonly string[];

/** Speaks English until `choose` is called; call it with the kept choice before the page is drawn. */
export function createLanguageStore(memory: Memory, wanted: WantedLanguages): LanguageStore {
  const system = bestLanguage(wanted);
  let newest = 0;
  return createStore<LanguageState>()(
    persist(
      (set): LanguageState => ({
        ...{ choice: 'system', system, spoken: 'en', isFailed: false },
        async choose(choice) {
          const call = ++newest;
          const language = choice === 'system' ? system : choice;
          set({ choice, isFailed: false });
          try {
            await speakLanguage(language, () => call === newest);
            if (call === newest) set({ spoken: language });
          } catch {
            if (call === newest) set({ isFailed: true }); // said beside the choice
          }
        },
      }),
      {
        name: 'lightwell.language',
        storage: createFieldStorage<Pick<LanguageState, 'choice'>>(memory, { choice: asIs }),
        partialize: ({ choice }) => ({ choice }),
        merge: (kept, current) => ({ ...current, choice: choiceIn(kept) }),
      },
    ),
  );
}

function choiceIn(kept: unknown): LanguageChoice {
  const value = typeof kept === 'object' && kept !== null && 'choice' in kept ? kept.choice : null;
  return LANGUAGES.find((language) => language === value) ?? 'system';
}
