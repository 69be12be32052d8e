import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where `npm test -- real` keeps the folders that it makes. */
export const FOLDERS = resolve(
  process.env['LIGHTWELL_CACHE'] ?? join(homedir(), '.cache/lightwell'),
  'real-weights/folders',
);

const OWN = 'lightwell-base';

/** Models of which explanations are compared with deletion. */
export const MODELS = [OWN, 'HuggingFaceTB/SmolLM2-135M-Instruct', 'google/gemma-3-270m'];

/** Whether a model comes with the page or was made. */
export function isThere(model: string): boolean {
  return model === OWN || existsSync(join(FOLDERS, model));
}
