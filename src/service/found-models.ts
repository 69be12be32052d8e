import type { Catalogue } from '../models/catalogue.ts';
import type { HeldFiles, Model } from '../models/model.ts';
import type { Inspection } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/job.ts';

/** A folder in the hub's layout that was found while the page runs. */
export interface FoundFolder {
  /** Name of the model that it becomes. */
  readonly name: string;
  /** As `Model.folder`. */
  readonly folder: string;
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
  readonly held?: HeldFiles;
}

/** What a folder becomes a model with. */
export interface FoundModelsOptions {
  readonly submit: Submit;
  readonly catalogue: Catalogue;
}

/**
 * Looks at a folder before anything large of it is read, and adds it to the catalogue. One that cannot be used is listed too,
 * with the reason; one of the same name that was found before gives way.
 *
 * @throws {Error} where it cannot even be looked at
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

/** Takes a model from the catalogue; what is loaded of it would else stay in memory. One that the catalogue began with stays. */
export function removeFoundModel(name: string, { submit, catalogue }: FoundModelsOptions): void {
  const removed = catalogue.find(name);
  catalogue.remove(name);
  if (removed && !catalogue.find(name)) void submit('unload', { folder: removed.folder });
}

function modelOf({ name, folder, files, held }: FoundFolder, found: Inspection): Model {
  const { tier, reason, capabilities, dtype, contextTokens } = found;
  return {
    ...{ name, folder, tier, capabilities, dtype, contextTokens },
    ...{ version: name, description: described(found, files) },
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
