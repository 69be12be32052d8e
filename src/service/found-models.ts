import type { LocalFolder } from '../contract/wire/engine.ts';
import { z } from '../contract/wire/zod.ts';
import type { Service } from './service.ts';
import type { ServiceSettingsStore } from './service-settings.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { HeldFiles, Model } from '../models/model.ts';
import type { Inspection } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/scheduler.ts';

/** A folder in the hub's layout that is found while the page runs. */
interface FoundFolder {
  /** Name of the model that it becomes. */
  readonly name: string;
  /** As `Model.folder`. */
  readonly folder: string;
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
  readonly held?: HeldFiles;
  /** When the last of them was changed, milliseconds since 1970. */
  readonly modified: number;
}

interface FoundModelsOptions {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
  /** A calibration that was measured with other files is removed. */
  readonly settings: Pick<ServiceSettingsStore, 'get' | 'set'>;
}

/**
 * Inspects a folder before anything large of it is read, and adds it to the catalogue. One that cannot be used is listed with
 * the reason; it replaces one of the same name that was found before.
 *
 * @throws {Error} if it cannot be inspected
 */
export async function addFoundModel(found: FoundFolder, options: FoundModelsOptions): Promise<Model> {
  const { submit, settings } = options;
  const result = await submit('inspect', found, {});
  if (!result.ok) throw new Error(`The model ${found.name} could not be looked at: ${result.failure.message}`);
  const model = modelOf(found, result.value);
  const { [found.name]: known, ...calibrations } = settings.get().calibrations;
  if (known && known.state !== model.state) settings.set({ calibrations });
  replaceFoundModel(found.name, model, options);
  return model;
}

/** Removes a found model from the catalogue and from memory, and lists another one in its place. */
export function replaceFoundModel(name: string, next: Model | null, { submit, catalogue }: FoundModelsOptions): void {
  const before = catalogue.find(name);
  catalogue.remove(name);
  if (next) catalogue.add(next);
  if (before && before.folder !== catalogue.find(name)?.folder) void submit('unload', { folder: before.folder });
}

function modelOf({ name, folder, files: sizes, held, modified }: FoundFolder, found: Inspection): Model {
  const files = Object.fromEntries(Object.entries(sizes).map(([path, bytes]) => [path, { bytes }]));
  const bytes = Object.values(sizes).reduce((sum, each) => sum + each, 0);
  const { tier, reason, capabilities, dtype, contextTokens } = found;
  return {
    name,
    folder,
    tier,
    capabilities,
    dtype,
    contextTokens,
    version: name,
    description: described(found, bytes),
    files,
    state: bytes + modified,
    ...(reason !== null && { reason }),
    ...(held && { held }),
  };
}

function described({ tier, kind, dtype }: Inspection, bytes: number): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  if (tier === 'refused') return `A folder on this computer, ${size}.`;
  return `A model on this computer: ${kind === '' ? '' : `${kind}, `}${dtype}, ${size} in its folder.`;
}

const LocalFolders: z.ZodType<readonly LocalFolder[]> = z.array(
  z.object({
    name: z.string().min(1),
    path: z.string(),
    files: z.record(z.string(), z.number().int().nonnegative()),
    modified: z.number(),
  }),
);

/**
 * Adds the models of a list to the catalogue, in turn; each is inspected before anything large of it is fetched. One that cannot
 * be used is listed with the reason.
 *
 * @param address  of the list, which the addresses of the folders are relative to
 * @param page     what that address is relative to
 */
export async function addLocalModels(address: string, page: string, options: FoundModelsOptions): Promise<void> {
  const list = new URL(address, page).href;
  try {
    const response = await fetch(list);
    if (!response.ok) throw new Error(`${list} answered ${response.status}: ${await response.text()}`);
    for (const { name: relative, path, ...files } of LocalFolders.parse(await response.json())) {
      const name = options.catalogue.find(relative) ? `local/${relative}` : relative;
      await addFoundModel({ name, folder: new URL(path, list).href, ...files }, options).catch((error: unknown) =>
        console.warn(String(error)),
      );
    }
  } catch (error) {
    console.warn(`No local models are listed: ${String(error)}`);
  }
}

/** How many folders were added: a model that was loaded from an older one is not mistaken for a newer one of its name. */
let folderCount = 0;

/** Adds a folder that the page holds. */
export function addFolder(
  { name, held }: Parameters<Service['addFolder']>[0],
  options: FoundModelsOptions,
): Promise<Model> {
  const files = Object.fromEntries(Object.entries(held).map(([path, { size }]) => [path, size]));
  const times = Object.values<Partial<File>>(held).map(({ lastModified = 0 }) => lastModified);
  return addFoundModel(
    { name, held, files, modified: Math.max(...times), folder: `${name} (${++folderCount})/` },
    options,
  );
}
