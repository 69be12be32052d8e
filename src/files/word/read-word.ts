import type { ExtractedText } from '../../protocol/document-jobs.ts';
import type { JobAnswer } from '../../protocol/messages.ts';
import { createRestartableWorker } from '../../scheduler/restartable-worker.ts';
import { spawnDocuments, type WorkerPort } from '../../scheduler/spawn.ts';
import type { ReadDocument, ReadOptions } from '../document.ts';
import { UnreadableFile } from '../unreadable-file.ts';

/** First bytes of a compound file: what Word encrypts, and what it wrote before 2007, look alike. @source MS-CFB 2.2 */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** A worker that reads says nothing for so long at most, ms; one that is stuck is ended. */
const SILENCE_MS = 60_000;

/** The one job of a worker that is started for it. */
const JOB = { type: 'run', id: 1, kind: 'extractText', nice: false, cost: 1, listens: false } as const;

/**
 * A Docx file as the text that `/qa` reads of it, in a worker of its own, which ends with it.
 *
 * @throws {UnreadableFile} `old_word` or `damaged`
 * @throws the reason of the signal
 */
export async function readWord(
  file: Uint8Array<ArrayBuffer>,
  { signal }: ReadOptions,
  spawn: () => WorkerPort = spawnDocuments,
): Promise<Pick<ReadDocument, 'text' | 'layout'>> {
  if (COMPOUND_FILE.every((byte, i) => file[i] === byte))
    throw new UnreadableFile('old_word', 'a compound file: a .doc, or encrypted');
  const { text, blocks } = await extracted(file, spawn, signal);
  return { text, layout: { type: 'blocks', blocks } };
}

async function extracted(
  file: Uint8Array<ArrayBuffer>,
  spawn: () => WorkerPort,
  signal: AbortSignal | undefined,
): Promise<ExtractedText> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  let close: () => void = () => undefined;
  try {
    return await new Promise((resolve, reject) => {
      const receive = (answer: JobAnswer) => {
        if (answer.type === 'done' && answer.kind === 'extractText') resolve(answer.output);
        else if (answer.type === 'failed') reject(failureOf(answer.failure.code, answer.failure.message));
      };
      const lost = (reason: string) => reject(new UnreadableFile('damaged', `the worker was lost: ${reason}`));
      const worker = createRestartableWorker({ spawn, receive, lost, silenceMs: SILENCE_MS });
      close = worker.close;
      signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
      worker.post({ ...JOB, input: { file, path: 'file' } });
    });
  } finally {
    ended.abort();
    close();
  }
}

/** A refusal is about the file; anything else is a defect. */
function failureOf(code: string, message: string): Error {
  return code === 'INVALID_REQUEST' ? new UnreadableFile('damaged', message) : new Error(message);
}
