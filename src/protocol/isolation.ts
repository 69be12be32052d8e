/**
 * Cross-origin isolation: only an isolated page gets shared memory, and so more than one WebAssembly thread. A server sends
 * these headers with every answer; the service worker adds them to the answers of a host that does not.
 */
export const ISOLATION_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Not `credentialless`, which Safari does not know. Nothing comes from another origin, so nothing needs it.
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * The query parameter in the address of the service worker's script that tells it to add the headers. Browsers keep that
 * address with the registration, so the choice outlives the worker, which is stopped and started at any time.
 */
export const ISOLATE_PARAMETER = 'isolate';
