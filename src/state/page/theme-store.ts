import { persist } from 'zustand/middleware';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asIs, createFieldStorage } from '../storage/field-storage.ts';
import type { Memory } from '../storage/memory.ts';

/** `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Dark or light. */
export interface ThemeState {
  readonly theme: Theme;
  choose(theme: Theme): void;
}
export type ThemeStore = StoreApi<ThemeState>;

/** The theme as it was chosen. */
export function createThemeStore(memory: Memory): ThemeStore {
  return createStore<ThemeState>()(
    persist((set): ThemeState => ({ theme: 'system', choose: (theme) => set({ theme }) }), {
      name: 'lightwell',
      storage: createFieldStorage<Pick<ThemeState, 'theme'>>(memory, { theme: asIs }),
      partialize: ({ theme }) => ({ theme }),
      merge: (kept, current) => ({ ...current, theme: themeIn(kept) }),
    }),
  );
}

function themeIn(kept: unknown): Theme {
  const value = typeof kept === 'object' && kept !== null && 'theme' in kept ? kept.theme : null;
  return THEMES.find((theme) => theme === value) ?? 'system';
}
