import type { API } from './en/api.ts';
import type { APP } from './en/app.ts';
import type { COMPARE } from './en/explain/compare.ts';
import type { EXPORT } from './en/explain/export.ts';
import type { FIGURES } from './en/explain/figures.ts';
import type { MORE_SETTINGS } from './en/explain/more-settings.ts';
import type { PROBLEM } from './en/explain/problem.ts';
import type { PROMPT } from './en/explain/prompt.ts';
import type { RESULT } from './en/explain/result.ts';
import type { SECTIONS } from './en/explain/sections.ts';
import type { QUESTION_SETTINGS } from './en/explain/settings.ts';
import type { WHAT_IF } from './en/explain/what-if.ts';
import type { FILES } from './en/files.ts';
import type { GLOSSARY } from './en/glossary.ts';
import type { INSIDE } from './en/inside.ts';
import type { LEARN } from './en/learn.ts';
import type { MODELS } from './en/models.ts';
import type { PARTS } from './en/parts.ts';
import type { SETTINGS } from './en/settings.ts';

/** Every text of the app in another language. A part's name is the one that its file gives to `wordsOf`. */
export interface Translation {
  readonly api: typeof API;
  readonly app: typeof APP;
  readonly 'explain/compare': typeof COMPARE;
  readonly 'explain/export': typeof EXPORT;
  readonly 'explain/figures': typeof FIGURES;
  readonly 'explain/more-settings': typeof MORE_SETTINGS;
  readonly 'explain/problem': typeof PROBLEM;
  readonly 'explain/prompt': typeof PROMPT;
  readonly 'explain/result': typeof RESULT;
  readonly 'explain/sections': typeof SECTIONS;
  readonly 'explain/settings': typeof QUESTION_SETTINGS;
  readonly 'explain/what-if': typeof WHAT_IF;
  readonly files: typeof FILES;
  readonly glossary: typeof GLOSSARY;
  readonly inside: typeof INSIDE;
  readonly learn: typeof LEARN;
  readonly models: typeof MODELS;
  readonly parts: typeof PARTS;
  readonly settings: typeof SETTINGS;
}
