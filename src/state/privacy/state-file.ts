import { isRecord } from '../explain/question.ts';
import type { Problem } from './state-part.ts';
import { type SavedStores, statePartsOf } from './state-parts.ts';

/** Tells the file from any other JSON, and how it is read. Raise the version when a part changes its shape. */
const KIND = 'lightwell-state';
const VERSION = 1;

/** Name of the file. */
export const STATE_FILE = 'lightwell-state.json';

/** All that the page keeps, but for results and the token, as one JSON text. */
export function stateText(stores: SavedStores): string {
  const parts = Object.entries(statePartsOf(stores)).map(([name, part]) => [name, part.read()]);
  return `${JSON.stringify({ kind: KIND, version: VERSION, parts: Object.fromEntries(parts) }, null, 2)}\n`;
}

/**
 * Takes over what a file holds; parts that it lacks stay as they are.
 *
 * @returns  what is wrong with the file, field by field; nothing is changed then
 */
export function takeStateText(text: string, stores: SavedStores): readonly Problem[] {
  const file = parsed(text);
  if (!isRecord(file) || file['kind'] !== KIND) return [`expected a file that begins with {"kind": "${KIND}"`];
  const { version, parts } = file;
  if (version !== VERSION) return [`version: expected ${VERSION}, got ${JSON.stringify(version) ?? 'nothing'}`];
  if (!isRecord(parts)) return ['parts: expected an object'];
  const known = statePartsOf(stores);
  const problems = Object.entries(parts).flatMap(
    ([name, value]) => known[name]?.check(value) ?? [`parts.${name}: there is no such part`],
  );
  if (problems.length > 0) return problems;
  for (const [name, part] of Object.entries(known)) {
    const problem = name in parts ? part.take(parts[name]) : null;
    if (problem !== null) return [problem]; // the first part alone can refuse
  }
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // said with what else is no such file
  }
}
