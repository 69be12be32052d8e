import type { StoreApi } from 'zustand/vanilla';
import { type BufferedStorage, createPersistentStore } from './buffered-storage.ts';

/** `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Dark or light. */
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
