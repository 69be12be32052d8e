/**
 * A macrotask: microtasks alone would keep messages waiting for as long as a job runs. A message to oneself, because
 * timers are delayed by a millisecond, and by four when they are nested.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
