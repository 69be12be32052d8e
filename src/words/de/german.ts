import type { Translation } from '../translation.ts';
import { APP_DE } from './app.ts';
import { LOCAL_MODELS_DE } from './local-models.ts';
import { SETTINGS_DE } from './settings.ts';

/** Everything in German. */
export const GERMAN: Translation = { app: APP_DE, localModels: LOCAL_MODELS_DE, settings: SETTINGS_DE };
