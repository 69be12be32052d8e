import { setLanguage, type Translations } from './language.ts';

/** Every language of the page, by its BCP 47 tag; its name is in the language itself. */
const ENTRIES = {
  en: { name: 'English', load: async () => ({}) },
  de: { name: 'Deutsch', load: async () => ({ ...(await import('./german.ts')).GERMAN }) },
} as const satisfies Record<string, { readonly name: string; readonly load: () => Promise<Translations> }>;

type Language = keyof typeof ENTRIES;

/** Tags, in the order of the menu. */
export const LANGUAGES = Object.keys(ENTRIES) as readonly Language[];

/** A language's name in itself. */
export function languageName(language: Language): string {
  return ENTRIES[language].name;
}

/** The first of the wanted languages that the page has, without regions; else English. */
export function bestLanguage(wanted: readonly string[]): Language {
  const [found] = wanted.flatMap((tag) => LANGUAGES.filter((each) => each === tag.toLowerCase().split('-')[0]));
  return found ?? 'en';
}

/** Loads a language, current unless another is wanted by then. @throws if it cannot be loaded; nothing changes then */
export async function switchLanguage(language: Language, isWanted: () => boolean): Promise<void> {
  const tables = await ENTRIES[language].load();
  if (isWanted()) setLanguage(language, tables);
}
