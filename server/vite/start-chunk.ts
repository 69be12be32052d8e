import type { Rolldown } from 'vite';

/** Facts about the modules of a build. */
export type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/**
 * Name of the one chunk for all modules that the page loads at its start, and nothing but the page does; null for any other
 * module. Without it each set of modules that a later chunk shares with the start is a chunk of its own, and the start takes
 * more requests and more bytes.
 *
 * @param page  id of the page's own entry
 */
export function startChunk(page: string): (id: string, modules: Modules) => string | null {
  return (id, modules) => {
    const entries = entriesOver(id, modules);
    return id !== page && entries.length === 1 && entries[0] === page ? 'start' : null;
  };
}

/**
 * The same of a worker, which is the one entry of its build. Nothing may import a worker's own script: WebKit keeps it apart from
 * modules, and would run it a second time.
 */
export function workerStartChunk(id: string, modules: Modules): string | null {
  const [entry] = entriesOver(id, modules);
  return entry !== undefined && id !== entry ? 'worker-start' : null;
}

/** Entries that import a module at once, by themselves or through others. */
function entriesOver(id: string, modules: Modules): string[] {
  const above = new Set([id]);
  for (const one of above) for (const importer of modules.getModuleInfo(one)?.importers ?? []) above.add(importer);
  return [...above].filter((one) => modules.getModuleInfo(one)?.isEntry);
}
