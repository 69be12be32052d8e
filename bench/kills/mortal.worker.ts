import { captured } from './capture-gpu.ts';
import '../../workers/inference.worker.ts';
import { MORTAL_CHANNEL, type FromMortal, type ToMortal, type Way } from './ways.ts';

/** The inference worker as it is built, with one more ear: it dies when it is told to. */
const channel = new BroadcastChannel(MORTAL_CHANNEL);

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

channel.onmessage = ({ data: { type, way } }: MessageEvent<ToMortal>) => {
  if (type !== 'die' || way === 'terminate') return;
  channel.postMessage({ type: 'dying', atMs: performance.timeOrigin + performance.now() } satisfies FromMortal);
  setTimeout(DEATHS[way]); // in a task of its own, where nothing catches what it throws
};
