/**
 * No connection leaves the origin. Sent as a header as well as written into the page, because a worker obeys the header
 * of its own script and not the page's `<meta>`.
 * `wasm-unsafe-eval` compiles WebAssembly; inline styles are what chart and popover libraries set on elements.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ');
