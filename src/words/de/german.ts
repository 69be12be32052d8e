import type { Translation } from '../translation.ts';
import { APP_DE } from './app.ts';
import { GLOSSARY_DE } from './glossary.ts';
import { LEARN_DE } from './learn.ts';
import { SETTINGS_DE } from './settings.ts';

/** Everything in German. */
export const GERMAN: Translation = { app: APP_DE, glossary: GLOSSARY_DE, learn: LEARN_DE, settings: SETTINGS_DE };
