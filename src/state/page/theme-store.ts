import { createStore, type StoreApi } from 'zustand/vanilla';
import { recall, remember, type Memory } from '../memory.ts';

/** `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'lightwell.theme';

/** Dark or light. */
export interface ThemeState {
  readonly theme: Theme;
  choose(theme: Theme): void;
}
export type ThemeStore = StoreApi<ThemeState>;

/** The theme as it was chosen, kept in `storage`. */
export function createThemeStore(storage: Memory): ThemeStore {
  const kept = recall(storage, KEY);
  return createStore<ThemeState>((set) => ({
    theme: THEMES.find((theme) => theme === kept) ?? 'system',
    choose(theme) {
      set({ theme });
      remember(storage, KEY, theme);
    },
  }));
}
