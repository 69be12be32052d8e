import { FailureError } from '../contract/failure.ts';
import { shown, shownNames } from '../contract/shown.ts';
import { isRecord } from '../contract/records.ts';
import { DEFAULT_SETTINGS, type NamedModels, ServiceSettings, type SettingsChange } from '../contract/settings.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { capableModels, type ModelUse } from '../models/default-model.ts';
import { problemIn } from '../router/request/problem.ts';

const KEY = 'lightwell.settings';

/** The page's settings and their listeners. */
export interface ServiceSettingsStore {
  get(): ServiceSettings;
  /**
   * Changes some fields and stores the result; `defaultModels`, `engine`, `upstream` and `device` may be partial as well.
   *
   * @throws {FailureError} INVALID_REQUEST naming the field, such as `timeoutMs: expected a number ≥ 1000, got 5`; nothing changes
   */
  set(change: SettingsChange): ServiceSettings;
  /** @returns what ends the subscription */
  subscribe(listener: (settings: ServiceSettings) => void): () => void;
}

interface OwnSettingsStore extends ServiceSettingsStore {
  /** @param known  null: any name may be a model's, as that of one that is found later */
  set(change: SettingsChange, known?: Catalogue | null): ServiceSettings;
  /** Takes the settings that another tab has stored. */
  follow(event: Pick<StorageEvent, 'key' | 'newValue'>): void;
}

/**
 * Settings in `storage`. A field that is not valid any more is reported to the console and gets its default. A model that is not
 * in the catalogue, or not yet, stays chosen.
 */
export function createServiceSettings(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  catalogue: Catalogue,
): OwnSettingsStore {
  const listeners = new Set<(settings: ServiceSettings) => void>();
  let current = restored(storage);
  const use = (next: ServiceSettings) => {
    current = next;
    for (const listener of listeners) listener(current);
    return current;
  };
  return {
    get: () => current,
    set(change, known = catalogue) {
      const next = changed(current, change, known);
      store(storage, next);
      return use(next);
    },
    follow({ key, newValue }) {
      if (key === KEY && newValue !== null) use(restored(storage));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** @param change  from a console or a script: anything @param catalogue  null: any name may be a model's */
function changed(current: ServiceSettings, change: unknown, catalogue: Catalogue | null): ServiceSettings {
  if (!isRecord(change))
    throw new FailureError('INVALID_REQUEST', `settings: expected an object, got ${shown(change)}`);
  const { defaultModels: models, engine, upstream, device } = change;
  const merged = {
    ...current,
    ...change,
    ...(isRecord(models) && { defaultModels: { ...current.defaultModels, ...models } }),
    ...(isRecord(engine) && { engine: { ...current.engine, ...engine } }),
    ...(isRecord(upstream) && { upstream: { ...current.upstream, ...upstream } }),
    ...(isRecord(device) && { device: { ...current.device, ...device } }),
  };
  const parsed = ServiceSettings.safeParse(merged, { reportInput: true });
  const problem = parsed.success
    ? catalogue && unknownModelIn(parsed.data, current, catalogue)
    : problemIn(parsed.error, 'settings');
  if (typeof problem === 'string' || !parsed.success) throw new FailureError('INVALID_REQUEST', problem ?? '');
  return parsed.data;
}

/** Uses for which settings choose a model. */
export const CONFIGURABLE_USES = ['explain', 'semantic_embed', 'qa'] as const;

/** The schema does not know the models. Unchanged names are not checked: a model that is found later, or was removed, stays chosen. */
function unknownModelIn(
  { modelNames, defaultModels }: ServiceSettings,
  before: ServiceSettings,
  catalogue: Catalogue,
): string | undefined {
  const names = (able: readonly { readonly name: string }[]) => shownNames(able.map(({ name }) => name));
  for (const [foreign, local] of Object.entries(modelNames)) {
    if (JSON.stringify(before.modelNames[foreign]) === JSON.stringify(local)) continue;
    if (catalogue.find(foreign))
      return `modelNames.${foreign}: expected a name that no local model has, got that of a local model`;
    const wrong = wrongModelIn(local, catalogue);
    if (wrong)
      return `modelNames.${foreign}${wrong.field}: expected one of ${names(wrong.able)}, got ${shown(wrong.got)}`;
  }
  for (const use of CONFIGURABLE_USES) {
    const able = capableModels(use, catalogue);
    const name = defaultModels[use];
    if (name !== null && name !== before.defaultModels[use] && !able.some((model) => model.name === name))
      return `defaultModels.${use}: expected null or one of ${names(able)}, got ${shown(name)}`;
  }
  return undefined;
}

/** A model that does not exist or cannot do the operation that it is named for. */
function wrongModelIn(models: NamedModels, catalogue: Catalogue) {
  if (typeof models === 'string')
    return catalogue.find(models) ? undefined : { field: '', able: catalogue.models, got: models };
  const named = Object.entries(models) as [ModelUse, string][];
  return named
    .map(([use, got]) => ({ field: `.${use}`, able: capableModels(use, catalogue), got }))
    .find(({ able, got }) => !able.some(({ name }) => name === got));
}

/** Models are not checked: those that the page finds are not listed yet. */
function restored(storage: Pick<Storage, 'getItem'> | null): ServiceSettings {
  let settings = DEFAULT_SETTINGS;
  for (const [field, value] of Object.entries(stored(storage)))
    try {
      settings = changed(settings, { [field]: value }, null);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      console.warn(`A kept setting is ignored: ${error.message}`);
    }
  return settings;
}

function stored(storage: Pick<Storage, 'getItem'> | null): object {
  try {
    const value: unknown = JSON.parse(storage?.getItem(KEY) ?? '{}');
    if (isRecord(value)) return value;
    console.warn('The kept settings are no JSON object and are ignored.');
  } catch (error) {
    console.warn(`The kept settings cannot be read and are ignored: ${String(error)}`);
  }
  return {};
}

/** With a full or forbidden storage the change is that of this tab only. */
function store(storage: Pick<Storage, 'setItem'> | null, settings: ServiceSettings): void {
  try {
    storage?.setItem(KEY, JSON.stringify(settings));
  } catch (error) {
    console.warn(`The settings hold until this tab is closed, they could not be kept: ${String(error)}`);
  }
}
