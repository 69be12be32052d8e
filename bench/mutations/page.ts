import { UnreadableFile } from '../../src/files/document.ts';
import { readFile } from '../../src/files/read-file.ts';
import { isTable, readCsv } from '../../src/files/table/csv.ts';
import { trustScriptsIn } from '../../src/protocol/page/script-urls.ts';

trustScriptsIn(new URL('/', location.href).href);

/** The text of a file, as the pages Documents and Meaning read it. */
async function textOf(file: File): Promise<string> {
  if (!isTable(file)) return (await readFile(file)).text;
  const { names, rows } = readCsv(new Uint8Array(await file.arrayBuffer()));
  return [names, ...rows].map((row) => row.join('\n')).join('\n');
}

/** What became of a file: `text`, or the code of its problem; a defect is its message. */
async function outcomeOf(encoded: string, name: string) {
  const characters = atob(encoded);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  const began = performance.now();
  const outcome = await textOf(new File([bytes], name)).then(
    (text) => ({ problem: 'text', text: text.slice(0, 100) }),
    (error: unknown) => ({ problem: error instanceof UnreadableFile ? error.problem : `defect: ${error}`, text: '' }),
  );
  return { ...outcome, seconds: (performance.now() - began) / 1000 };
}

Object.assign(globalThis, { outcomeOf });
