/** Locks of one origin, shared ones too held by one at a time: granted in order, freed when their holder's promise settles or their holder is gone. */
export function createFakeLocks() {
  const queues = new Map<string, (() => void)[]>();
  const free = (name: string) => {
    queues.get(name)?.shift();
    queues.get(name)?.[0]?.();
  };
  return {
    request: (async (name: string, ...given: unknown[]) => {
      const callback = given.at(-1) as (lock: null) => unknown; // the last parameter of either form of `request`
      const { signal } = (given.length > 1 ? given[0] : {}) as LockOptions;
      const queue = queues.get(name) ?? [];
      queues.set(name, queue);
      await new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          queue.splice(queue.indexOf(resolve), 1);
          reject(signal.reason as Error);
        });
        if (queue.push(resolve) === 1) resolve();
      });
      try {
        return await callback(null);
      } finally {
        free(name);
      }
    }) as LockManager['request'],
    /** The browser frees the lock of an ended worker. */
    free,
    waiting: (name: string) => Math.max(0, (queues.get(name)?.length ?? 0) - 1),
    names: () => [...queues.keys()],
  };
}
