import { speak, type Tables } from './spoken.ts';

/** A language that the page speaks. */
interface Entry {
  /** In the language itself. */
  readonly name: string;
  readonly load: () => Promise<Tables>;
}

/** Every language, by its BCP 47 tag. */
const ENTRIES = {
  en: { name: 'English', load: async () => ({}) },
  de: { name: 'Deutsch', load: async () => ({ ...(await import('./de/german.ts')).GERMAN }) },
} as const satisfies Record<string, Entry>;

export type Language = keyof typeof ENTRIES;

/** Tags, in the order of the menu. */
export const LANGUAGES = Object.keys(ENTRIES) as readonly Language[];

/** A language's name in itself. */
export function languageName(language: Language): string {
  return ENTRIES[language].name;
}

/** The first of the wanted languages that the page speaks, regions aside; English where it speaks none of them. */
export function bestLanguage(wanted: readonly string[]): Language {
  const [found] = wanted.flatMap((tag) => LANGUAGES.filter((each) => each === tag.toLowerCase().split('-')[0]));
  return found ?? 'en';
}

/**
 * Loads a language and speaks it, unless another one is wanted by then.
 *
 * @throws if its table cannot be loaded; the language before it stays
 */
export async function speakLanguage(language: Language, isWanted: () => boolean): Promise<void> {
  const tables = await ENTRIES[language].load();
  if (isWanted()) speak(language, tables);
}
