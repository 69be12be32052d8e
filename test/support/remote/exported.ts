import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportEngine } from '../../../server/export/export-engine.ts';

const MODELS = fileURLToPath(new URL('../../../public/models/', import.meta.url));

/** An embedded model, exported for an engine into a folder of its own. */
export async function exportedModel(name = 'lightwell-base') {
  const out = await mkdtemp(join(tmpdir(), 'lightwell-engine-'));
  const { digest, files } = await exportEngine({ model: join(MODELS, name), out });
  return {
    ...{ name, out, digest, files },
    /** The model's folder in the repository. */
    folder: join(out, 'models', name),
    remove: () => rm(out, { recursive: true, force: true }),
  };
}
