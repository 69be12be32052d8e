import type { BackendKind } from '../../src/protocol/model-job.ts';
import { createMortalService, type MortalService } from './mortal-service.ts';
import { GPU_OPERATIONS, OPERATIONS } from './operations.ts';
import type { Kill, Way } from './ways.ts';

const services = new Map<BackendKind, MortalService>();

function operationsOn(backend: BackendKind) {
  return backend === 'wasm' ? OPERATIONS : GPU_OPERATIONS;
}

/** Learns the right answer of each operation on a backend. */
export async function learnOperations(backend: BackendKind): Promise<number> {
  const service = createMortalService(backend);
  services.set(backend, service);
  const operations = operationsOn(backend);
  for (const sent of operations) await service.learn(sent);
  return operations.length;
}

/**
 * One kill.
 *
 * @param when  share of the time that the operation took undisturbed
 */
export async function killDuring(backend: BackendKind, way: Way, operation: number, when: number): Promise<Kill> {
  const service = services.get(backend);
  const sent = operationsOn(backend)[operation];
  if (!service || !sent) throw new Error(`expected a learnt operation, got ${backend} ${operation}`);
  return service.kill(way, sent, when);
}
