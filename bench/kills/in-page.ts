import type { BackendKind } from '../../src/protocol/model-job.ts';
import { createCrashingService, type CrashingService } from './crashing-service.ts';
import { operationsOn, type Sent } from './operations.ts';
import type { Kill, Victim, Way } from './ways.ts';

let service: CrashingService | undefined;
let operations: readonly Sent[] = [];

/** What the service of a page is like, and which of its workers die. */
export interface Learnt {
  readonly backend: BackendKind;
  readonly silenceMs: number;
  readonly victims: readonly Victim[];
  /** Base64 of a file for the documents worker. */
  readonly docx: string;
}

/** Learns the right answers of the operations that these workers take part in; returns how many they are. */
export async function learnOperations({ backend, silenceMs, victims, docx }: Learnt): Promise<number> {
  service = createCrashingService(backend, silenceMs);
  operations = operationsOn(backend, victims, docx);
  for (const sent of operations) await service.learn(sent);
  return operations.length;
}

/**
 * One kill. On a busy machine a worker that was slow is replaced just before it is told to die; then the next one is told.
 *
 * @param when  share of the time that the operation took undisturbed
 */
export async function killDuring(way: Way, operation: number, when: number): Promise<Kill> {
  const sent = operations[operation];
  if (!service || !sent) throw new Error(`expected a learnt operation, got ${operation}`);
  return (await service.kill(way, sent, when)) ?? killDuring(way, operation, when);
}
