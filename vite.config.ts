import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';
import {
  bridgeInDevelopment,
  listSiteFiles,
  plainWorkerUrls,
  precompress,
  runtimeForNode,
  startChunk,
  workerStartChunk,
} from './server/vite/build-plugins.ts';
import { CONTENT_SECURITY_POLICY_IN_PAGE, ISOLATION_HEADERS, PAGE_HEADERS } from './src/protocol/page/headers.ts';

/**
 * Writes the content security policy into the built page, for hosts that cannot send headers. Not in development: hot
 * reload injects inline scripts and opens a socket, which the policy rightly forbids.
 */
function contentSecurityPolicy(): Plugin {
  const tag = {
    tag: 'meta',
    attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY_IN_PAGE },
  };
  return {
    name: 'lightwell:content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [{ ...tag, injectTo: 'head-prepend' }],
  };
}

/** One module without imports. */
function moduleAlone(input: string, entryFileNames: string, outDir = 'dist'): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      // Those that have `light-dark()`: what replaces it elsewhere needs a style sheet of the page.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: false, entryFileNames },
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), contentSecurityPolicy(), plainWorkerUrls(), bridgeInDevelopment(), runtimeForNode('threads')],
  server: { headers: ISOLATION_HEADERS, host: '127.0.0.1' },
  preview: { headers: PAGE_HEADERS, host: '127.0.0.1' },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: workerStartChunk }] } },
    },
  },
  // Relative, so that the page works below any path, and the library wherever it is installed.
  base: './',
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: Infinity, // test/size.mjs judges sizes
    rolldownOptions: {
      // The page, and what other pages import: modules of a fixed name that share its chunks, workers and WebAssembly.
      input: {
        index: 'index.html',
        lightwell: 'src/service/create-service.ts',
        client: 'src/client/client.ts',
        ask: 'src/client/ask.ts',
        faithfulness: 'src/client/faithfulness/faithfulness.ts',
        'ai-sdk': 'src/client/ai-sdk.ts',
        'prompt-api': 'src/client/prompt-api.ts',
      },
      external: ['@ai-sdk/openai-compatible'], // the program that takes lightwell/ai-sdk has it
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: ({ name }) => (name === 'index' ? 'assets/[name]-[hash].js' : '[name].js'),
        codeSplitting: {
          includeDependenciesRecursively: false, // what the library shares with the page stays apart
          groups: [{ debugName: 'start', name: startChunk(fileURLToPath(new URL('index.html', import.meta.url))) }],
        },
      },
    },
  },
  environments: {
    // Apart from the page: it is one classic script, so it can share no module with it. It serves the folder that it lies in,
    // and is found again by its name.
    serviceWorker: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: 'workers/service.worker.ts',
          output: { format: 'iife', codeSplitting: false, entryFileNames: 'service-worker.js' },
        },
      },
    },
    // Apart from the page: modules without imports, for pages that have scores and no model.
    heatMap: moduleAlone('src/figures/elements/heat-map.ts', 'heat-map.js'),
    formats: moduleAlone('src/formats/read-scores.ts', 'formats.js'),
    notebook: moduleAlone('src/figures/elements/widget.ts', 'widget.js', 'build/notebook'),
    server: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: 'build/server',
        emptyOutDir: true,
        copyPublicDir: false,
        ssr: true,
        rolldownOptions: {
          input: 'server/lightwell.ts',
          external: ['bufferutil', 'utf-8-validate'], // native code that ws takes where it is installed
          output: { entryFileNames: 'lightwell.mjs', banner: '#!/usr/bin/env node', codeSplitting: false },
        },
      },
    },
    // What `lightwell serve` runs models on: worker threads of Node, with the libraries that the page's workers have.
    threads: {
      consumer: 'server',
      resolve: { noExternal: true, conditions: ['browser', 'module', 'import', 'default'] },
      build: {
        outDir: 'build/server',
        emptyOutDir: false,
        copyPublicDir: false,
        ssr: true,
        rolldownOptions: {
          input: 'server/headless/thread.ts',
          external: ['onnxruntime-node'],
          output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'serviceWorker', 'heatMap', 'formats', 'notebook', 'server', 'threads'] as const) {
        const environment = builder.environments[name];
        if (environment === undefined) throw new Error(`vite has no environment ${name}`);
        await builder.build(environment);
      }
      await listSiteFiles('dist');
      await precompress('dist', 'node_modules/.cache/lightwell-compressed');
    },
  },
  // Pre-bundling moves the runtime away from the WebAssembly that it looks for beside itself.
  optimizeDeps: { exclude: ['onnxruntime-web', '@huggingface/transformers'] },
});
