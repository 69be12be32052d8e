import type { FromWorker, ToWorker } from '../../src/protocol/messages.ts';
import type { FromCrashHook, ToCrashHook, Way } from './ways.ts';

/**
 * Imported before everything else of a worker: it gets each message first and stops its own, records the GPU devices that are
 * opened, and sees each answer before it is sent.
 */
const captured: GPUDevice[] = [];

if ('GPUAdapter' in globalThis) {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    captured.push(device);
    return device;
  };
}

/** Bytes that no browser allocates. */
const TOO_MANY = 2 ** 50;

const DEATHS: Readonly<Record<Way, () => void>> = {
  error: () => {
    throw new Error('the benchmark broke this worker');
  },
  terminate: () => undefined, // the page does it, in the middle of a pass too
  close: () => self.close(),
  stuck: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  memory: () => void new ArrayBuffer(TOO_MANY),
  device: () => captured.forEach((device) => device.destroy()),
};

let plan: ToCrashHook | null = null;
let isDying = false;
const send = self.postMessage.bind(self) as (message: unknown, more?: unknown) => void;

function announce(): void {
  isDying = true;
  send({ type: 'dying', atMs: performance.timeOrigin + performance.now() } satisfies FromCrashHook);
}

/** Called in a task of its own, where nothing catches what a death throws and no pass comes before it. */
function die(way: Way): void {
  if (isDying) return;
  announce();
  DEATHS[way]();
}

self.addEventListener('message', (event: MessageEvent<ToCrashHook | ToWorker>) => {
  const { data } = event;
  if (data.type === 'die') {
    event.stopImmediatePropagation();
    plan = data;
    isDying = false;
  } else if (data.type === 'run' && plan && !isDying) {
    const { way, afterMs } = plan;
    if (way === 'terminate') announce();
    else setTimeout(() => die(way), afterMs);
  }
});

/** An answer that comes before the worker's death is held back, so that each death meets a job that runs. */
Reflect.set(self, 'postMessage', (message: FromWorker, more?: unknown): void => {
  if (plan && plan.way !== 'device' && isAnswer(message)) {
    const { way } = plan;
    return void setTimeout(() => die(way));
  }
  send(message, more);
});

function isAnswer({ type }: FromWorker): boolean {
  return type === 'done' || type === 'failed';
}
