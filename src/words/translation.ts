import type { API } from './en/api.ts';
import type { APP } from './en/app.ts';
import type { FILES } from './en/files.ts';
import type { MEANING } from './en/meaning.ts';
import type { MODELS } from './en/models.ts';
import type { PARTS } from './en/parts.ts';
import type { SETTINGS } from './en/settings.ts';

/** Every text of the app in another language. A part's name is the one that its file gives to `wordsOf`. */
export interface Translation {
  readonly api: typeof API;
  readonly app: typeof APP;
  readonly files: typeof FILES;
  readonly meaning: typeof MEANING;
  readonly models: typeof MODELS;
  readonly parts: typeof PARTS;
  readonly settings: typeof SETTINGS;
}
