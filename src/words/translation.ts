import type { APP } from './en/app.ts';
import type { LOCAL_MODELS } from './en/local-models.ts';
import type { SETTINGS } from './en/settings.ts';

/** Every text of the app in another language. A part's name is the one that its file gives to `wordsOf`. */
export interface Translation {
  readonly app: typeof APP;
  readonly localModels: typeof LOCAL_MODELS;
  readonly settings: typeof SETTINGS;
}
