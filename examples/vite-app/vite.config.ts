import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: 'node_modules/lightwell/dist/models', // files that are served as they are
  worker: { format: 'es' },
  // Pre-bundling would move the library away from its workers.
  optimizeDeps: { exclude: ['lightwell'] },
  // Cross-origin isolation gives WebAssembly more than one thread.
  server: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } },
  build: { target: 'es2022' },
});
