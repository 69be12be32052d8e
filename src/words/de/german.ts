import type { Translation } from '../translation.ts';
import { APP_DE } from './app.ts';
import { DOCUMENTS_DE } from './documents.ts';
import { FILES_DE } from './files.ts';
import { SETTINGS_DE } from './settings.ts';

/** Everything in German. */
export const GERMAN: Translation = { app: APP_DE, documents: DOCUMENTS_DE, files: FILES_DE, settings: SETTINGS_DE };
