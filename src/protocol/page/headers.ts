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

const DIRECTIVES = [
  "default-src 'self'",
  // `wasm-unsafe-eval` compiles WebAssembly.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  // Inline styles are what chart and popover libraries set on elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  // No text becomes HTML or a script; `script-urls.ts` has the one policy, which decides what may become a worker.
  "require-trusted-types-for 'script'",
  'trusted-types default',
];

/**
 * The content security policy as it is written into the page: no connection leaves the origin. Browsers read
 * `frame-ancestors` from a header only, and complain of it elsewhere.
 */
export const CONTENT_SECURITY_POLICY_IN_PAGE = DIRECTIVES.join('; ');

/** Device features that nothing here uses, by Chromium's names: an unknown one would be reported in the console. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/** Headers of every file: a worker obeys the policy in its own script's header, not that of the page's `<meta>`. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...ISOLATION_HEADERS,
  'Content-Security-Policy': [...DIRECTIVES, "frame-ancestors 'none'"].join('; '),
  'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Headers of the script of the worker that fetches models: it may connect to any hub that a visitor names, over TLS or on this
 * machine; no other script may. It receives names of models and nothing else.
 */
export const DOWNLOADS_WORKER_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': (PAGE_HEADERS['Content-Security-Policy'] ?? '').replace(
    "connect-src 'self'",
    "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  ),
};

/** The headers of a file of the site. @param path  or address */
export function headersOfFile(path: string): Readonly<Record<string, string>> {
  return /(^|\/)downloads\.worker-[\w-]+\.js$/.test(path) ? DOWNLOADS_WORKER_HEADERS : PAGE_HEADERS;
}

/** Headers of every answer of the contract: opened as a page, it runs nothing and loads nothing. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
