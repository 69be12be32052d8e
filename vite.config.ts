import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { CONTENT_SECURITY_POLICY, ISOLATION_HEADERS } from './scripts/policy.mjs';

/**
 * Writes the content security policy into the built page, for hosts that cannot send headers. Not in development: hot
 * reload injects inline scripts and opens a socket, which the policy rightly forbids.
 */
function contentSecurityPolicy(): Plugin {
  const tag = { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY } };
  return {
    name: 'lightwell:content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [{ ...tag, injectTo: 'head-prepend' }],
  };
}

export default defineConfig({
  plugins: [react(), contentSecurityPolicy()],
  server: { headers: ISOLATION_HEADERS, host: '127.0.0.1' },
  preview: { headers: ISOLATION_HEADERS, host: '127.0.0.1' },
  worker: { format: 'es' },
  build: { target: 'es2023', assetsInlineLimit: 0 },
  // Pre-bundling moves the runtime away from the WebAssembly that it looks for beside itself.
  optimizeDeps: { exclude: ['onnxruntime-web'] },
});
