import type { Plugin } from 'vite';

/** How Vite writes the address of a worker where the base is relative. */
const WRAPPED =
  /new URL\(new URL\((["'`])([^"'`]+)\1,\s*import\.meta\.url\)\.href,\s*(["'`])\3\s*\+\s*import\.meta\.url\)/g;

/**
 * Writes worker addresses in the one form that bundlers look for, `new URL("…", import.meta.url)`: who installs the
 * package and bundles it gets the workers, and the WebAssembly beside them, without further settings.
 */
export function plainWorkerUrls(): Plugin {
  return {
    name: 'lightwell:plain-worker-urls',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk')
          output.code = output.code.replace(WRAPPED, (_whole, _quote, path: string) => {
            const relative = path.startsWith('.') ? path : `./${path}`;
            return `new URL(${JSON.stringify(relative)},import.meta.url)`;
          });
    },
  };
}
