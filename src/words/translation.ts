import type { APP } from './en/app.ts';
import type { GLOSSARY } from './en/glossary.ts';
import type { LEARN } from './en/learn.ts';
import type { SETTINGS } from './en/settings.ts';

/** Every text of the app in another language. A part's name is the one that its file gives to `wordsOf`. */
export interface Translation {
  readonly app: typeof APP;
  readonly glossary: typeof GLOSSARY;
  readonly learn: typeof LEARN;
  readonly settings: typeof SETTINGS;
}
