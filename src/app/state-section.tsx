import { shortText, shown } from '../contract/shown.ts';
import { POOLINGS } from '../contract/wire/limits.ts';
import { isRecord, jsonIn, ownValue } from '../contract/records.ts';
import { MAX_STORED, readQuestion } from '../explanations/question.ts';
import { OPERATION_NAMES } from '../pages/api/api-store.ts';
import { insideStoresOf } from '../pages/inside/live-stores.ts';
import { readSet } from '../pages/learn/learn-store.ts';
import { meaningStoresOf } from '../pages/meaning/meaning-stores.ts';
import styles from '../pages/privacy/privacy.module.css';
import { privacyWords } from '../pages/privacy/words.en.ts';
import { Button, FileButton, saveFile } from '../parts/buttons.tsx';
import { SettingsSection } from '../parts/fields/fields.tsx';
import { THEMES } from '../stores/preference-stores.ts';
import { useStores, useStoreValue } from '../stores/use-stores.ts';
import { LANGUAGES } from '../words/languages.ts';
import type { Stores } from './create-stores.ts';

/** Saves the state of the page as one file, and opens such a file. */
export function StateSection() {
  const words = privacyWords().state;
  const stores = useStores();
  const opening = useStoreValue('privacy', (state) => state.opening); // another language draws the page again
  const { setOpening } = stores.privacy.getState();
  const save = () => saveFile(STATE_FILE, new Blob([stateText(stores)], { type: 'application/json' }));
  const open = async (file: File) => {
    const before = stateText(stores);
    const problems =
      file.size > MAX_FILE_BYTES
        ? [`file: expected at most ${MAX_FILE_BYTES} bytes, got ${file.size}`]
        : applyStateText(await file.text(), stores);
    setOpening(problems.length > 0 ? { kind: 'refused', problems } : { kind: 'taken', before });
  };
  const undo = (before: string) => {
    const problems = applyStateText(before, stores);
    setOpening(problems.length > 0 ? { kind: 'refused', problems } : { kind: 'none' });
  };
  return (
    <SettingsSection title={words.title} about={words.about}>
      <p>{words.what}</p>
      <div className={styles.actions}>
        <Button onClick={save}>{words.save}</Button>
        <FileButton accept=".json,application/json" onFiles={([file]) => void open(file)}>
          {words.open}
        </FileButton>
      </div>
      <div role="status">
        {opening.kind === 'taken' && (
          <p className={styles.actions}>
            {words.taken}
            <Button look="quiet" onClick={() => undo(opening.before)}>
              {words.undo}
            </Button>
          </p>
        )}
      </div>
      <div role="alert" className={styles.problem}>
        {opening.kind === 'refused' && (
          <>
            <p>{words.refused}</p>
            <ul className={styles.list}>
              {opening.problems.slice(0, MAX_PROBLEMS).map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </SettingsSection>
  );
}

/** Identifies the file among other JSON. Raise the version when a part changes its shape. */
const KIND = 'lightwell-state';
const VERSION = 1;

/** Of a file: the texts of Meaning take the most. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

const MAX_PROBLEMS = 20;

/** Characters of a name from a file. */
const MAX_NAME = 60;

const STATE_FILE = 'lightwell-state.json';

/** The state of the page as JSON, without results and the token. */
export function stateText(stores: Stores): string {
  const parts = Object.entries(statePartsOf(stores)).map(([name, part]) => [name, part.read()]);
  return `${JSON.stringify({ kind: KIND, version: VERSION, parts: Object.fromEntries(parts) }, null, 2)}\n`;
}

/**
 * Applies the parts of a file; parts that it lacks stay as they are.
 *
 * @returns  what is wrong with the file, such as `question.target: expected a text, got 3`; nothing is changed then
 */
export function applyStateText(text: string, stores: Stores): readonly string[] {
  const file = jsonIn(text);
  if (!isRecord(file) || file['kind'] !== KIND) return [`expected a file that begins with {"kind": "${KIND}"`];
  const { version, parts } = file;
  if (version !== VERSION) return [`version: expected ${VERSION}, got ${shown(version)}`];
  if (!isRecord(parts)) return ['parts: expected an object'];
  const known = statePartsOf(stores);
  const problems = Object.entries(parts).flatMap(
    ([name, value]) =>
      ownValue(known, name)?.check(name, value) ?? [`parts.${shortText(name, MAX_NAME)}: there is no such part`],
  );
  if (problems.length > 0) return problems;
  for (const [name, part] of Object.entries(known)) {
    const problem = Object.hasOwn(parts, name) ? part.apply(parts[name]) : null;
    if (problem !== null) return [problem]; // only the first part can refuse
  }
  return [];
}

/** What is wrong with a value of unknown origin at a path of the file. */
type Check = (path: string, value: unknown) => string[];

interface StatePart {
  readonly read: () => unknown;
  readonly check: Check;
  /** Applies a value that has passed the check. @returns why it is refused, and nothing is changed; else null */
  readonly apply: (value: unknown) => string | null;
}

/** A part that accepts whatever passes its check. @param check  accepts only values of the form that `read` returns */
function statePart<Saved>(check: Check, read: () => Saved, apply: (saved: Saved) => void): StatePart {
  return {
    read,
    check,
    apply(value) {
      apply(value as Saved); // it was checked
      return null;
    },
  };
}

/** A text of at most so many UTF-16 units: a longer one would keep the page busy at each start. */
const textUpTo =
  (most: number): Check =>
  (path, value) => {
    if (typeof value !== 'string') return [`${path}: expected a text, got ${shown(value)}`];
    return value.length <= most ? [] : [`${path}: expected at most ${most} characters, got ${value.length}`];
  };

const text = textUpTo(MAX_STORED);

/** Of a body on the API page, which may hold a picture, and of a text of Meaning. */
const longText = textUpTo(1_000_000);

/** A list of texts; one that is not a text is named by its index. */
const texts: Check = (path, value) =>
  Array.isArray(value)
    ? value.flatMap((one, index) => longText(`${path}.${index}`, one))
    : [`${path}: expected a list, got ${shown(value)}`];

/** One of these values. */
function oneOf(values: readonly string[]): Check {
  const names = values.map((one) => `"${one}"`).join(', ');
  return (path, value) =>
    values.some((one) => one === value) ? [] : [`${path}: expected one of ${names}, got ${shown(value)}`];
}

function record(check: Check = () => []): Check {
  return (path, value) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, one]) => check(`${path}.${name}`, one))
      : [`${path}: expected an object, got ${shown(value)}`];
}

/** An object with these fields and no others. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  return (path, value) =>
    isRecord(value)
      ? [
          ...Object.entries(checks).flatMap(([name, check]) => check(`${path}.${name}`, ownValue(value, name))),
          ...unknownFields(path, value, checks),
        ]
      : record()(path, value);
}

function unknownFields(path: string, value: object, known: object): string[] {
  return Object.keys(value)
    .filter((field) => !Object.hasOwn(known, field))
    .map((field) => `${path}.${shortText(field, MAX_NAME)}: there is no such field`);
}

/** All parts; the one that can refuse is first. The token is left out. A page that stores something adds a part. */
function statePartsOf(stores: Stores): Readonly<Record<string, StatePart>> {
  const { api, theme, language } = stores;
  return {
    settings: settingsPart(stores),
    question: questionPart(stores),
    api: statePart(
      fields({ operation: oneOf(OPERATION_NAMES), bodies: checkBodies }),
      () => ({ operation: api.getState().operation, bodies: api.getState().bodies }),
      (saved) => api.setState(saved),
    ),
    inside: insidePart(stores),
    learn: learnPart(stores),
    meaning: meaningPart(stores),
    theme: statePart(
      oneOf(THEMES),
      () => theme.getState().theme,
      (saved) => theme.getState().choose(saved),
    ),
    language: statePart(
      oneOf([...LANGUAGES, 'system']),
      () => language.getState().choice,
      (saved) => void language.getState().choose(saved),
    ),
  };
}

/** Settings without those that name other machines. */
function settingsOfThisDevice({ engine: _, upstream: __, ...others }: Readonly<Record<string, unknown>>): object {
  return others;
}

/** The settings check their fields themselves. A file never turns on a remote engine or an OpenAI-compatible server: only the user does, in Settings. */
function settingsPart({ settings }: Stores): StatePart {
  return {
    read: () => settingsOfThisDevice(settings.getState().settings),
    check: record(),
    apply(value) {
      const problem = settings.getState().change(isRecord(value) ? settingsOfThisDevice(value) : {});
      return problem === null ? null : `settings.${problem}`;
    },
  };
}

function questionPart({ explain }: Stores): StatePart {
  return statePart(
    checkQuestion,
    () => explain.getState().question,
    (saved) => {
      const { picture, prompt, target, settings } = readQuestion(saved) ?? saved;
      explain.getState().edit({ picture, prompt, target });
      explain.getState().adjust(settings);
    },
  );
}

/** A field that would be read as another value is wrong. */
function checkQuestion(path: string, value: unknown): string[] {
  if (!isRecord(value)) return record()(path, value);
  const problems = (['prompt', 'target'] as const).flatMap((field) => text(`${path}.${field}`, value[field]));
  const question = problems.length > 0 ? null : readQuestion(value);
  if (question === null) return problems;
  const settings = isRecord(value['settings']) ? value['settings'] : {};
  return [
    ...unknownFields(path, value, question),
    ...changedFields(path, { picture: value['picture'] ?? null }, question),
    ...record()(`${path}.settings`, value['settings']),
    ...unknownFields(`${path}.settings`, settings, question.settings),
    ...changedFields(`${path}.settings`, settings, question.settings),
  ];
}

function changedFields(path: string, value: Readonly<Record<string, unknown>>, read: object): string[] {
  const known = new Map<string, unknown>(Object.entries(read));
  return Object.entries(value)
    .filter(([field, one]) => known.has(field) && JSON.stringify(known.get(field)) !== JSON.stringify(one))
    .map(([field, one]) => `${path}.${field}: expected a value of this field, got ${shown(one)}`);
}

function checkBodies(path: string, value: unknown): string[] {
  const names = isRecord(value) ? Object.keys(value).flatMap((name) => oneOf(OPERATION_NAMES)(path, name)) : [];
  return [...names, ...record(longText)(path, value)];
}

/** Texts to compare, the prompt of the logit lens, and the pooling; the results are computed again. */
function insidePart({ inside }: Stores): StatePart {
  const { similarity, lens } = insideStoresOf(inside.getState());
  return statePart(
    fields({ pooling: oneOf(POOLINGS), texts, prompt: text, target: text }),
    () => {
      const { prompt, target } = lens.getState().asked;
      return { pooling: inside.getState().pooling, texts: similarity.getState().asked.texts, prompt, target };
    },
    (saved) => {
      inside.getState().choosePooling(saved.pooling);
      similarity.getState().replace({ texts: saved.texts });
      lens.getState().replace({ prompt: saved.prompt, target: saved.target });
    },
  );
}

/** The set that was opened, and the one that is being edited; each may be null. */
function learnPart({ learn }: Stores): StatePart {
  const set: Check = (path, value) =>
    value === null || readSet(value) ? [] : [`${path}: expected a set of examples or null`];
  return statePart(
    fields({ set, draft: set }),
    () => ({ set: readSet(learn.getState().prepared), draft: readSet(learn.getState().draft) }),
    (saved) => {
      learn.setState({ prepared: readSet(saved.set), isLinkUnreadable: false });
      learn.getState().change(readSet(saved.draft) ?? { title: '', examples: [], own: [] });
    },
  );
}

const TEXT_COLUMN = 'text';

/** Texts without their vectors: a button computes them again. */
function meaningPart({ meaning }: Stores): StatePart {
  const { collection, input } = meaningStoresOf(meaning.getState());
  return statePart(
    checkTable,
    () => collection.getState().collected?.table ?? input.getState().table(),
    (saved) => {
      const names = Object.keys(saved.columns);
      const { opened, close, openRows, chooseColumn } = input.getState();
      if (saved.texts.length === 0) {
        if (opened?.kind === 'rows' && opened.name === STATE_FILE) close(); // undone; other texts of the page stay
        return;
      }
      let column = TEXT_COLUMN;
      while (names.includes(column)) column += '_';
      const rows = saved.texts.map((one, row) => [
        one,
        ...names.map((name) => ownValue(saved.columns, name)?.[row] ?? ''),
      ]);
      openRows(STATE_FILE, { names: [column, ...names], rows });
      chooseColumn(column);
    },
  );
}

/** Texts, and columns of as many texts. */
function checkTable(path: string, value: unknown): string[] {
  const length = isRecord(value) && Array.isArray(value['texts']) ? value['texts'].length : 0;
  const column: Check = (at, one) => {
    const problems = texts(at, one);
    if (problems.length > 0 || !Array.isArray(one) || one.length === length) return problems;
    return [`${at}: expected ${length} texts, got ${one.length}`];
  };
  return fields({ texts, columns: record(column) })(path, value);
}
