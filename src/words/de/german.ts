import type { Translation } from '../translation.ts';
import { API_DE } from './api.ts';
import { APP_DE } from './app.ts';
import { FILES_DE } from './files.ts';
import { MEANING_DE } from './meaning.ts';
import { MODELS_DE } from './models.ts';
import { PARTS_DE } from './parts.ts';
import { SETTINGS_DE } from './settings.ts';

/** Everything in German. */
export const GERMAN: Translation = {
  api: API_DE,
  app: APP_DE,
  files: FILES_DE,
  meaning: MEANING_DE,
  models: MODELS_DE,
  parts: PARTS_DE,
  settings: SETTINGS_DE,
};
