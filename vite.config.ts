import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { CONTENT_SECURITY_POLICY, ISOLATION_HEADERS } from './server/policy.mjs';

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

/** A worker that is started with the first job for it; the bundle holds it as a file like any other. */
const LAZY_WORKER = /\/documents\.worker-.*\.js$/;

/**
 * Fetches, once the page is idle, what it would otherwise load on first use: after one visit nothing more is asked of
 * the network, so a page whose connection is cut still draws its charts.
 */
function prefetchLazyChunks(): Plugin {
  const link = (file: string): HtmlTagDescriptor => ({
    tag: 'link',
    attrs: { rel: 'prefetch', href: `/${file}`, crossorigin: true },
    injectTo: 'head',
  });
  return {
    name: 'lightwell:prefetch-lazy-chunks',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((output) => (output.type === 'chunk' ? output.isDynamicEntry : LAZY_WORKER.test(output.fileName)))
          .flatMap((chunk) => [
            chunk.fileName,
            ...('viteMetadata' in chunk ? (chunk.viteMetadata?.importedCss ?? []) : []),
          ])
          .map(link),
    },
  };
}

const SERVICE_WORKER = 'service-worker';

export default defineConfig({
  plugins: [react(), contentSecurityPolicy(), prefetchLazyChunks()],
  server: { headers: ISOLATION_HEADERS, host: '127.0.0.1' },
  preview: { headers: ISOLATION_HEADERS, host: '127.0.0.1' },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: Infinity, // test/size.mjs judges sizes
    rolldownOptions: {
      input: { index: 'index.html', [SERVICE_WORKER]: 'workers/service.worker.ts' },
      // A service worker serves its own folder, and is found again by its name: neither may change with its content.
      output: {
        entryFileNames: ({ name }) => (name === SERVICE_WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  // Pre-bundling moves the runtime away from the WebAssembly that it looks for beside itself.
  optimizeDeps: { exclude: ['onnxruntime-web'] },
});
