import type { LocalFolder } from '../contract/wire/engine.ts';
import { z } from '../contract/wire/zod.ts';
import type { Service } from './service.ts';
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
}

interface FoundModelsOptions {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
}

/**
 * Inspects a folder before anything large of it is read, and adds it to the catalogue. One that cannot be used is listed with
 * the reason; it replaces one of the same name that was found before.
 *
 * @throws {Error} if it cannot be inspected
 */
export async function addFoundModel(found: FoundFolder, { submit, catalogue }: FoundModelsOptions): Promise<Model> {
  const result = await submit('inspect', found, {});
  if (!result.ok) throw new Error(`The model ${found.name} could not be looked at: ${result.failure.message}`);
  const model = modelOf(found, result.value);
  const before = catalogue.find(model.name);
  catalogue.remove(model.name);
  catalogue.add(model);
  if (before && before.folder !== model.folder) void submit('unload', { folder: before.folder });
  return model;
}

/** Removes a found model from the catalogue and from memory. */
export function removeFoundModel(name: string, { submit, catalogue }: FoundModelsOptions): void {
  const removed = catalogue.find(name);
  catalogue.remove(name);
  if (removed && !catalogue.find(name)) void submit('unload', { folder: removed.folder });
}

function modelOf({ name, folder, files, held }: FoundFolder, found: Inspection): Model {
  const { tier, reason, capabilities, dtype, contextTokens } = found;
  return {
    name,
    folder,
    tier,
    capabilities,
    dtype,
    contextTokens,
    version: name,
    description: described(found, files),
    ...(reason !== null && { reason }),
    ...(held && { held }),
    files: Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, { bytes }])),
  };
}

function described({ tier, kind, dtype }: Inspection, files: FoundFolder['files']): string {
  const bytes = Object.values(files).reduce((sum, each) => sum + each, 0);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  if (tier === 'refused') return `A folder on this computer, ${size}.`;
  return `A model on this computer: ${kind === '' ? '' : `${kind}, `}${dtype}, ${size} in its folder.`;
}

const LocalFolders: z.ZodType<readonly LocalFolder[]> = z.array(
  z.object({ name: z.string().min(1), path: z.string(), files: z.record(z.string(), z.number().int().nonnegative()) }),
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
    for (const { name: relative, path, files } of LocalFolders.parse(await response.json())) {
      const name = options.catalogue.find(relative) ? `local/${relative}` : relative;
      await addFoundModel({ name, folder: new URL(path, list).href, files }, options).catch((error: unknown) =>
        console.warn(String(error)),
      );
    }
  } catch (error) {
    console.warn(`No local models are listed: ${String(error)}`);
  }
}

/** How many folders of each name were added: a model that was loaded from an older one is not mistaken for a newer one. */
const folderCounts = new Map<string, number>();

/** Adds a folder that the page holds. */
export function addFolder(
  { name, held }: Parameters<Service['addFolder']>[0],
  options: FoundModelsOptions,
): Promise<Model> {
  const files = Object.fromEntries(Object.entries(held).map(([path, { size }]) => [path, size]));
  const count = (folderCounts.get(name) ?? 0) + 1;
  folderCounts.set(name, count);
  return addFoundModel({ name, held, files, folder: count === 1 ? `${name}/` : `${name} (${count})/` }, options);
}
