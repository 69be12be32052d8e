import type { APP } from './en/app.ts';
import type { DOCUMENTS } from './en/documents.ts';
import type { FILES } from './en/files.ts';
import type { SETTINGS } from './en/settings.ts';

/** Every text of the app in another language. A part's name is the one that its file gives to `wordsOf`. */
export interface Translation {
  readonly app: typeof APP;
  readonly documents: typeof DOCUMENTS;
  readonly files: typeof FILES;
  readonly settings: typeof SETTINGS;
}
