/** WebAssembly threads of a page. */
export interface Threads {
  readonly threads: number;
  /** Why this number, for people. */
  readonly threadReason: string;
}

/** More threads gain little on networks that fit a page, and take cores from the page itself. */
const MAX_THREADS = 4;

/**
 * How many WebAssembly threads a page can have, and why. They share memory, which needs cross-origin isolation and the
 * browser's support: WebKitGTK isolates pages and has no `SharedArrayBuffer`.
 */
export function threadsOf(
  scope: { readonly crossOriginIsolated: boolean; readonly SharedArrayBuffer?: unknown },
  cores: number,
): Threads {
  if (!scope.crossOriginIsolated)
    return { threads: 1, threadReason: 'one thread: the page is not cross-origin isolated' };
  if (scope.SharedArrayBuffer === undefined)
    return { threads: 1, threadReason: 'one thread: this browser has no shared memory (SharedArrayBuffer)' };
  const threads = Math.min(MAX_THREADS, cores);
  return { threads, threadReason: `${threads} of ${cores} cores` };
}
