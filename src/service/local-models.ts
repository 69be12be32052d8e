import { z } from '../contract/wire/zod.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import { LOCAL_MODELS, type LocalFolder } from '../contract/wire/local-models.ts';
import type { Inspection } from '../protocol/model-job.ts';
import type { Submit } from '../scheduler/job.ts';

const LocalFolders: z.ZodType<readonly LocalFolder[]> = z.array(
  z.object({ name: z.string().min(1), path: z.string(), files: z.record(z.string(), z.number().int().nonnegative()) }),
);

/** What discovering needs. */
export interface LocalModelsOptions {
  /** The page's own address. */
  readonly page: string;
  readonly submit: Submit;
  readonly catalogue: Catalogue;
}

/**
 * Adds the models of the local server's folder to the catalogue, one after the other: each is looked at before anything
 * large of it is fetched. One that cannot be used is listed too, with the reason.
 *
 * @throws {Error} where the list cannot be read
 */
export async function addLocalModels({ page, submit, catalogue }: LocalModelsOptions): Promise<void> {
  const base = new URL(LOCAL_MODELS, page).href;
  const response = await fetch(base);
  if (!response.ok) throw new Error(`${base} answered ${response.status}: ${await response.text()}`);
  for (const { name: relative, path, files } of LocalFolders.parse(await response.json())) {
    const name = catalogue.find(relative) ? `local/${relative}` : relative;
    const folder = base + path;
    const result = await submit('inspect', { name, folder, files }, {});
    if (result.ok) catalogue.add(modelOf({ name, folder, files }, result.value));
    else console.warn(`The local model ${name} could not be looked at: ${result.failure.message}`);
  }
}

function modelOf({ name, folder, files }: Pick<Model, 'name' | 'folder'> & LocalFiles, found: Inspection): Model {
  const { tier, reason, capabilities, dtype, contextTokens } = found;
  return {
    ...{ name, folder, tier, capabilities, dtype, contextTokens },
    ...{ version: name, description: described(found, files) },
    ...(reason !== null && { reason }),
    files: Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, { bytes }])),
  };
}

type LocalFiles = Pick<LocalFolder, 'files'>;

function described({ tier, kind, dtype }: Inspection, files: LocalFiles['files']): string {
  const bytes = Object.values(files).reduce((sum, each) => sum + each, 0);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  if (tier === 'refused') return `A folder on this computer, ${size}.`;
  return `A model on this computer: ${kind === '' ? '' : `${kind}, `}${dtype}, ${size} in its folder.`;
}
