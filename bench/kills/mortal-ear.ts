import type { FromMortal, ToMortal, Way } from './ways.ts';

/**
 * Imported before everything else of a worker: it hears first, so that what is meant for it reaches nobody else, and knows
 * the GPUs that are opened.
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

/** No browser gives so many bytes. */
const TOO_MANY = 2 ** 50;

const DEATHS: Readonly<Record<Exclude<Way, 'terminate'>, () => void>> = {
  error: () => {
    throw new Error('the benchmark broke this worker');
  },
  close: () => self.close(),
  stuck: () => {
    for (;;);
  },
  memory: () => void new ArrayBuffer(TOO_MANY),
  device: () => captured.forEach((device) => device.destroy()),
};

self.addEventListener('message', (event: MessageEvent<ToMortal | { readonly type: 'run' }>) => {
  const { data } = event;
  if (data.type !== 'die' || data.way === 'terminate') return;
  event.stopImmediatePropagation();
  self.postMessage({ type: 'dying', atMs: performance.timeOrigin + performance.now() } satisfies FromMortal);
  setTimeout(DEATHS[data.way]); // in a task of its own, where nothing catches what it throws
});
