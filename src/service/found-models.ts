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
 * Inspects a folder before anything large of it is read, and adds a model for each kind of its weights to the catalogue: the
 * default with the folder's name, the others as `owner/name:q4`. One that cannot be used is listed with the reason; they replace
 * those of the same names that were found before.
 *
 * @returns the default one
 * @throws {Error} if it cannot be inspected
 */
export async function addFoundModel(found: FoundFolder, options: FoundModelsOptions): Promise<Model> {
  const { submit, settings, catalogue } = options;
  const { name } = found;
  const result = await submit('inspect', found, {});
  if (!result.ok) throw new Error(`The model ${name} could not be looked at: ${result.failure.message}`);
  const add = (model: Model) => {
    const { [model.name]: known, ...calibrations } = settings.get().calibrations;
    if (known && known.state !== model.state) settings.set({ calibrations });
    catalogue.remove(model.name);
    catalogue.add(model);
    return model;
  };
  const [first, ...others] = result.value;
  removeFoundModel(name, options, found.folder);
  const model = add(modelOf(found, first, name));
  for (const kind of others) add(modelOf(found, kind, `${name}:${kind.weights.kind}`));
  return model;
}

/** Removes the models of a found folder from the catalogue, and from memory unless its files are in `next`. */
export function removeFoundModel(name: string, { submit, catalogue }: FoundModelsOptions, next?: string): void {
  const folder = catalogue.find(name)?.folder;
  for (const each of catalogue.models)
    if (each.folder === folder && `${each.name}:`.startsWith(`${name}:`)) catalogue.remove(each.name);
  if (folder !== undefined && folder !== next && catalogue.find(name) === undefined) void submit('unload', { folder });
}

function modelOf({ folder, held, modified }: FoundFolder, found: Inspection, name: string): Model {
  const { reason, kind, ...facts } = found;
  const { tier, files, weights } = facts;
  const about = `${kind && `${kind}, `}${weights.kind}, ${(weights.fileBytes / 1e6).toFixed(1)} MB`;
  return {
    ...facts,
    name,
    folder,
    version: name,
    description: tier === 'refused' ? 'A folder on this computer.' : `A model on this computer: ${about}.`,
    state: Object.values(files).reduce((sum, { bytes }) => sum + bytes, modified),
    ...(reason !== null && { reason }),
    ...(held && { held }),
  };
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
