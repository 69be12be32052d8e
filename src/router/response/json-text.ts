import { createPause, type Pause } from '../pause.ts';

/**
 * The JSON of an answer, as `JSON.stringify` writes it, but in pieces: an answer may hold half a million numbers, and
 * writing them in one task would block the page.
 */
export async function jsonText(value: unknown): Promise<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const pause = createPause();
  const fields: string[] = [];
  for (const [name, entry] of Object.entries(value))
    if (entry !== undefined) fields.push(`${JSON.stringify(name)}:${await entryText(entry, pause)}`);
  return `{${fields.join(',')}}`;
}

async function entryText(entry: unknown, pause: Pause): Promise<string> {
  if (!Array.isArray(entry)) return JSON.stringify(entry);
  const pieces: string[] = [];
  for (const element of entry) {
    pieces.push(JSON.stringify(element));
    await pause();
  }
  return `[${pieces.join(',')}]`;
}
