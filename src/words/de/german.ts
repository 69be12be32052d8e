import type { Translation } from '../translation.ts';
import { API_DE } from './api.ts';
import { APP_DE } from './app.ts';
import { DOCUMENTS_DE } from './documents.ts';
import { COMPARE_DE } from './explain/compare.ts';
import { CONTRAST_DE } from './explain/contrast.ts';
import { EXPORT_DE } from './explain/export.ts';
import { FAITHFULNESS_DE } from './explain/faithfulness.ts';
import { FIGURES_DE } from './explain/figures.ts';
import { MORE_SETTINGS_DE } from './explain/more-settings.ts';
import { PROBLEM_DE } from './explain/problem.ts';
import { PROMPT_DE } from './explain/prompt.ts';
import { RECORD_DE } from './explain/record.ts';
import { RESULT_DE } from './explain/result.ts';
import { SECTIONS_DE } from './explain/sections.ts';
import { QUESTION_SETTINGS_DE } from './explain/settings.ts';
import { WHAT_IF_DE } from './explain/what-if.ts';
import { FILES_DE } from './files.ts';
import { GLOSSARY_DE } from './glossary.ts';
import { INSIDE_DE } from './inside.ts';
import { KEYS_DE } from './keys.ts';
import { LEARN_DE } from './learn.ts';
import { MEANING_LISTS_DE } from './meaning/lists.ts';
import { MEANING_MAP_DE } from './meaning/map.ts';
import { MEANING_DE } from './meaning/page.ts';
import { ENGINE_DE } from './models/engine.ts';
import { HUB_DE } from './models/hub.ts';
import { LOCAL_MODELS_DE } from './models/local.ts';
import { OWN_MODELS_DE } from './models/own.ts';
import { MODELS_DE } from './models/page.ts';
import { PRESETS_DE } from './models/presets.ts';
import { PARTS_DE } from './parts.ts';
import { PRIVACY_DE } from './privacy.ts';
import { SETTINGS_DE } from './settings.ts';

/** Everything in German. */
export const GERMAN: Translation = {
  api: API_DE,
  app: APP_DE,
  documents: DOCUMENTS_DE,
  'explain/compare': COMPARE_DE,
  'explain/contrast': CONTRAST_DE,
  'explain/export': EXPORT_DE,
  'explain/faithfulness': FAITHFULNESS_DE,
  'explain/figures': FIGURES_DE,
  'explain/more-settings': MORE_SETTINGS_DE,
  'explain/problem': PROBLEM_DE,
  'explain/prompt': PROMPT_DE,
  'explain/record': RECORD_DE,
  'explain/result': RESULT_DE,
  'explain/sections': SECTIONS_DE,
  'explain/settings': QUESTION_SETTINGS_DE,
  'explain/what-if': WHAT_IF_DE,
  files: FILES_DE,
  glossary: GLOSSARY_DE,
  inside: INSIDE_DE,
  keys: KEYS_DE,
  learn: LEARN_DE,
  'meaning/lists': MEANING_LISTS_DE,
  'meaning/map': MEANING_MAP_DE,
  'meaning/page': MEANING_DE,
  'models/engine': ENGINE_DE,
  'models/hub': HUB_DE,
  'models/local': LOCAL_MODELS_DE,
  'models/own': OWN_MODELS_DE,
  'models/page': MODELS_DE,
  'models/presets': PRESETS_DE,
  parts: PARTS_DE,
  privacy: PRIVACY_DE,
  settings: SETTINGS_DE,
};
