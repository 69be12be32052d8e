/** WebAssembly threads of a page. */
export interface Threads {
  readonly threads: number;
  /** Why so many, in words that are shown. */
  readonly threadReason: string;
}

/** More threads than this gain little on networks that fit a page, and take the cores from the page itself. */
const MOST_THREADS = 4;

/**
 * How many WebAssembly threads a page can have, and why. They share memory, which takes isolation and the browser's leave:
 * WebKitGTK isolates pages and has no `SharedArrayBuffer`.
 */
export function threadsOf(
  scope: { readonly crossOriginIsolated: boolean; readonly SharedArrayBuffer?: unknown },
  cores: number,
): Threads {
  if (!scope.crossOriginIsolated)
    return { threads: 1, threadReason: 'one thread: the page is not cross-origin isolated' };
  if (scope.SharedArrayBuffer === undefined)
    return { threads: 1, threadReason: 'one thread: this browser has no shared memory (SharedArrayBuffer)' };
  const threads = Math.min(MOST_THREADS, cores);
  return { threads, threadReason: `${threads} of ${cores} cores` };
}
