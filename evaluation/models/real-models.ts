import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm test -- real` keeps the folders that it makes. */
export const FOLDERS = resolve(
  process.env['LIGHTWELL_CACHE'] ?? join(homedir(), '.cache/lightwell'),
  'real-weights/folders',
);

const OWN = 'lightwell-base';
const EMBEDDED = fileURLToPath(new URL('../../public/models', import.meta.url));

/** Models of which explanations are compared with deletion. */
export const MODELS = [OWN, 'HuggingFaceTB/SmolLM2-135M-Instruct', 'google/gemma-3-270m'];

/** Whether a model comes with the page or was made. */
export function isThere(model: string): boolean {
  return model === OWN || existsSync(join(FOLDERS, model));
}

/** SHA-256 of the files of a model's network, in order of their names, in hexadecimal. */
export async function networkOf(model: string): Promise<string> {
  const folder = join(model === OWN ? EMBEDDED : FOLDERS, model, 'onnx');
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).toSorted())
    for await (const bytes of createReadStream(join(folder, name))) hash.update(bytes);
  return hash.digest('hex');
}
