import { z } from '../contract/wire/zod.ts';
import { LOCAL_MODELS, type LocalFolder } from '../contract/wire/local-models.ts';
import { addFoundModel, type FoundModelsOptions } from './found-models.ts';

const LocalFolders: z.ZodType<readonly LocalFolder[]> = z.array(
  z.object({ name: z.string().min(1), path: z.string(), files: z.record(z.string(), z.number().int().nonnegative()) }),
);

/** What discovering needs. */
export interface LocalModelsOptions extends FoundModelsOptions {
  /** The page's own address. */
  readonly page: string;
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
    await addFoundModel({ name, folder: base + path, files }, { submit, catalogue }).catch((error: unknown) =>
      console.warn(String(error)),
    );
  }
}
