import { createService } from '../../src/service/create-service.ts';
import type { BackendKind } from '../../src/protocol/model-job.ts';
import type { Sent } from './operations.ts';
import type { FromCrashHook, Kill, ToCrashHook, Victim, Way } from './ways.ts';

/** Addresses of the workers, by their files. */
const WORKERS = import.meta.glob<string>('./crashing-*.worker.ts', {
  query: '?worker&url',
  import: 'default',
  eager: true,
});

/** Of the time that a request takes, the documents worker has the beginning. */
const SHARE = { inference: 1, documents: 0.3 } as const;

/** Results of equal requests differ by rounding at most. */
const TOLERANCE = 1e-5;

/** A service whose worker is killed under its requests. */
export interface CrashingService {
  /** Asks once, undisturbed, and keeps the answer and its time. @throws when the status is not 200 */
  learn(sent: Sent): Promise<void>;
  /** Asks, and kills the worker on the way; null where the worker was gone before it heard of it. */
  kill(way: Way, sent: Sent, when: number): Promise<Kill | null>;
}

interface Known {
  readonly answer: unknown;
  readonly ms: number;
}

/** When workers of this page were started, by their names. */
const startsMs: Readonly<Record<Victim, number[]>> = { inference: [], documents: [] };

/** The newest worker of each name; older ones are forgotten, so that the measurement keeps no memory. */
export const newest = new Map<string, { readonly worker: Worker; readonly dying: Promise<number> }>();

/**
 * A service of its own; workers that it starts are noted.
 *
 * @param silenceMs  least silence after which a worker counts as stuck
 */
export function createCrashingService(backend: BackendKind, silenceMs: number): CrashingService {
  noteWorkers();
  const service = createService({
    baseUrl: `${location.origin}/`,
    backend,
    preload: false,
    workers: {
      inference: new URL(WORKERS['./crashing-inference.worker.ts'] ?? '', location.href),
      documents: new URL(WORKERS['./crashing-documents.worker.ts'] ?? '', location.href),
      silenceMs,
    },
  });
  const known = new Map<Sent['name'], Known>();
  const ask = async ({ path, body }: Sent) => {
    const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
    const response = await service.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), answer: await response.json() };
  };
  return {
    async learn(sent) {
      await ask(sent); // opens the model
      const startedMs = performance.now();
      const { status, answer } = await ask(sent);
      if (status !== 200) throw new Error(`${sent.name}: expected 200, got ${status} ${JSON.stringify(answer)}`);
      known.set(sent.name, { answer, ms: performance.now() - startedMs });
    },
    async kill(way, sent, when) {
      const expected = known.get(sent.name);
      if (!expected) throw new Error(`${sent.name} was not learnt`);
      const undisturbed = await ask(sent); // after a worker that died idle this starts the next one
      const { victim } = sent;
      const starts = startsMs[victim].length;
      const startedMs = performance.now();
      const killed = killWorker(victim, { type: 'die', way, afterMs: when * SHARE[victim] * expected.ms });
      const { status, retryAfter, answer } = await ask(sent);
      const killedMs = await Promise.race([killed, unheard()]);
      if (killedMs === null) return null;
      const successorMs = startsMs[victim][starts];
      return {
        way,
        victim,
        operation: sent.name,
        status,
        code: String(Reflect.get(answer, 'code') ?? ''),
        isRight: status === 200 && isClose(answer, expected.answer),
        isNextRight: undisturbed.status === 200 && isClose(undisturbed.answer, expected.answer),
        hasRetryAfter: retryAfter !== null,
        detectedMs: successorMs === undefined ? null : successorMs - killedMs,
        totalMs: performance.now() - startedMs,
      };
    },
  };
}

/** A worker says that it dies before it does, so long before its request is answered. */
function unheard(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, 10_000, null));
}

/** @returns when it died, since the page was opened */
async function killWorker(name: Victim, plan: ToCrashHook): Promise<number> {
  const victim = newest.get(name);
  if (!victim) throw new Error('expected a worker that runs, got none');
  victim.worker.postMessage(plan);
  const saidMs = await victim.dying;
  if (plan.way !== 'terminate') return saidMs;
  await new Promise((resolve) => setTimeout(resolve, plan.afterMs));
  const killedMs = performance.now();
  victim.worker.terminate();
  return killedMs;
}

/** Replaces the constructor, so that the service's own code starts its workers and the measurement knows of them. */
export function noteWorkers(): void {
  const Original = globalThis.Worker;
  globalThis.Worker = class extends Original {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      const name = given[1]?.name ?? '';
      newest.set(name, { worker: this, dying: dyingOf(this) });
      if (name === 'inference' || name === 'documents') startsMs[name].push(performance.now());
    }
  };
}

/** When the worker said that it dies, since the page was opened. Nobody else hears of it. */
function dyingOf(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.addEventListener('message', (event: MessageEvent<FromCrashHook | { readonly type: 'done' }>) => {
      if (event.data.type !== 'dying') return;
      event.stopImmediatePropagation();
      resolve(event.data.atMs - performance.timeOrigin);
    });
  });
}

function isClose(got: unknown, expected: unknown): boolean {
  if (typeof got === 'number' && typeof expected === 'number') return Math.abs(got - expected) <= TOLERANCE;
  if (typeof got !== 'object' || got === null || typeof expected !== 'object' || expected === null)
    return got === expected;
  const names = Object.keys(expected);
  return (
    names.length === Object.keys(got).length &&
    names.every((name) => isClose(Reflect.get(got, name), Reflect.get(expected, name)))
  );
}
