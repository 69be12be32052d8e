import type { JobTasks } from '../protocol/messages.ts';
import { type WorkerPort, spawnWorker } from '../scheduler/spawn.ts';
import { type TaskOutcome, createTaskClient } from '../scheduler/task-port.ts';
import { type FileContent, type ReadOptions, UnreadableFile } from './document.ts';
import { limitTime } from './time-limit.ts';

/** First bytes of a compound file: an encrypted file of Word, or one from before 2007. @source MS-CFB 2.2 */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** Time with the start of the worker, and for each 2^20 bytes, s: text packs to a tenth, so a small file that takes long is no document. */
const LIMIT = { startS: 8, perMebibyteS: 30 };

/**
 * The text of a Docx file as `/qa` reads it, from a worker of its own, which ends afterwards.
 *
 * @throws {UnreadableFile} `old_word`, `damaged` or `too_slow`
 * @throws the reason of the signal
 */
export async function readWord(
  file: Uint8Array<ArrayBuffer>,
  { signal }: ReadOptions,
  spawn: () => WorkerPort = () => spawnWorker('documents'),
): Promise<FileContent> {
  if (COMPOUND_FILE.every((byte, i) => file[i] === byte))
    throw new UnreadableFile('old_word', 'a compound file: a .doc, or encrypted');
  const worker = createTaskClient<JobTasks>({ spawn, errorOf });
  const slow = new AbortController();
  const outOfTime = () => slow.abort(new UnreadableFile('too_slow', 'out of time'));
  const time = limitTime(file.length, Promise.resolve(), outOfTime, LIMIT);
  const ending = signal ? AbortSignal.any([signal, slow.signal]) : slow.signal;
  try {
    const { text, blocks, unread } = await worker.run('extractText', { file, path: 'file' }, { signal: ending });
    return { text, layout: { type: 'blocks', blocks }, unread };
  } finally {
    time.stop();
    worker.close('the file was read');
  }
}

/** A refusal means a damaged file; any other failure is a defect. */
function errorOf(outcome: Extract<TaskOutcome<JobTasks>, { type: 'failed' | 'lost' }>): Error {
  if (outcome.type === 'lost') return new UnreadableFile('damaged', `the worker was lost: ${outcome.reason}`);
  const { code, message } = outcome.failure;
  return code === 'INVALID_REQUEST' ? new UnreadableFile('damaged', message) : new Error(message);
}
