import { OPERATION_NAMES } from '../api/api-store.ts';
import { isRecord, readQuestion, type Question } from '../explain/question.ts';
import { LANGUAGES } from '../../words/languages.ts';
import { THEMES } from '../page/theme-store.ts';
import type { Stores } from '../stores.ts';
import { roomParts } from './room-parts.ts';
import {
  choiceProblem,
  objectProblem,
  type Problem,
  shown,
  type StatePart,
  textProblem,
  unknownFields,
} from './state-part.ts';

/** The stores whose state goes into a file. */
export type SavedStores = Pick<
  Stores,
  'api' | 'explain' | 'inside' | 'language' | 'learn' | 'meaning' | 'settings' | 'theme'
>;

/**
 * All parts, by name; those that may refuse come first. The token is none: whoever has it can use this page. A page that keeps
 * something of its own adds a part here.
 */
export function statePartsOf(stores: SavedStores): Readonly<Record<string, StatePart>> {
  return {
    settings: settingsPart(stores),
    question: questionPart(stores),
    api: apiPart(stores),
    ...roomParts(stores),
    theme: choicePart('theme', THEMES, {
      read: () => stores.theme.getState().theme,
      take: (theme) => stores.theme.getState().choose(theme),
    }),
    language: choicePart('language', [...LANGUAGES, 'system'], {
      read: () => stores.language.getState().choice,
      take: (choice) => void stores.language.getState().choose(choice),
    }),
  };
}

function withoutEngine({ engine: _, ...others }: { readonly engine?: unknown }): object {
  return others;
}

/** The settings check their fields themselves. A file never switches a remote engine on: that is done in Settings, by hand. */
function settingsPart({ settings }: SavedStores): StatePart {
  return {
    read: () => withoutEngine(settings.getState().settings),
    check: (value) => objectProblem('settings', value),
    take(value) {
      const problem = settings.getState().change(isRecord(value) ? withoutEngine(value) : {});
      return problem === null ? null : `settings.${problem}`;
    },
  };
}

function questionPart({ explain }: SavedStores): StatePart {
  return {
    read: () => explain.getState().question,
    check: questionProblems,
    take(value) {
      const question = readQuestion(value);
      if (!question) return null; // it was checked
      const { edit, adjust } = explain.getState();
      edit({ picture: question.picture, prompt: question.prompt, target: question.target });
      adjust(question.settings);
      return null;
    },
  };
}

/** A field that would be read as another value is wrong. */
function questionProblems(value: unknown): Problem[] {
  if (!isRecord(value)) return objectProblem('question', value);
  const texts = (['prompt', 'target'] as const).flatMap((field) => textProblem(`question.${field}`, value[field]));
  const question = texts.length > 0 ? null : readQuestion(value);
  if (question === null) return texts;
  const settings = isRecord(value['settings']) ? value['settings'] : {};
  return [
    ...unknownFields('question', value, question),
    ...changedFields('question', { picture: value['picture'] ?? null }, question),
    ...objectProblem('question.settings', value['settings']),
    ...unknownFields('question.settings', settings, question.settings),
    ...changedFields('question.settings', settings, question.settings),
  ];
}

function apiPart({ api }: SavedStores): StatePart {
  return {
    read: () => ({ operation: api.getState().operation, bodies: api.getState().bodies }),
    check(value) {
      if (!isRecord(value)) return objectProblem('api', value);
      const { operation, bodies, ...others } = value;
      if (!isRecord(bodies)) return objectProblem('api.bodies', bodies);
      return [
        ...unknownFields('api', others, {}),
        ...choiceProblem('api.operation', operation, OPERATION_NAMES),
        ...Object.entries(bodies).flatMap(([name, body]) => [
          ...choiceProblem('api.bodies', name, OPERATION_NAMES),
          ...textProblem(`api.bodies.${name}`, body),
        ]),
      ];
    },
    take(value) {
      api.setState(value as Pick<ReturnType<typeof api.getState>, 'operation' | 'bodies'>);
      return null;
    },
  };
}

function choicePart<Value extends string>(
  name: string,
  values: readonly Value[],
  { read, take }: { readonly read: () => Value; readonly take: (value: Value) => void },
): StatePart {
  return {
    read,
    check: (value) => choiceProblem(name, value, values),
    take(value) {
      const chosen = values.find((one) => one === value);
      if (chosen !== undefined) take(chosen);
      return null;
    },
  };
}

function changedFields(
  path: string,
  value: Readonly<Record<string, unknown>>,
  read: Question | Question['settings'],
): Problem[] {
  const fields = new Map<string, unknown>(Object.entries(read));
  return Object.entries(value)
    .filter(([field, one]) => fields.has(field) && JSON.stringify(fields.get(field)) !== JSON.stringify(one))
    .map(([field, one]) => `${path}.${field}: expected a value of this field, got ${shown(one)}`);
}
