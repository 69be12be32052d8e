import { UnreadableFile } from '../../src/files/document.ts';
import { readFile } from '../../src/files/read-file.ts';
import { trustScriptsIn } from '../../src/protocol/page/script-urls.ts';

trustScriptsIn(new URL('/', location.href).href);

/** What became of a file: `text`, or the code of its problem; a defect is its message. */
async function outcomeOf(encoded: string) {
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const began = performance.now();
  const outcome = await readFile(new File([bytes], 'mutated.pdf')).then(
    ({ text }) => ({ problem: 'text', text: text.slice(0, 100) }),
    (error: unknown) => ({ problem: error instanceof UnreadableFile ? error.problem : `defect: ${error}`, text: '' }),
  );
  return { ...outcome, seconds: (performance.now() - began) / 1000 };
}

Object.assign(globalThis, { outcomeOf });
