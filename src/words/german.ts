import type { Translations } from './language.ts';

const modules = import.meta.glob<{ readonly german: Translations }>('../**/words.de.ts', { eager: true });

/** All German texts: each folder that shows texts has a `words.de.ts`. */
export const GERMAN: Translations = Object.assign({}, ...Object.values(modules).map(({ german }) => german));
