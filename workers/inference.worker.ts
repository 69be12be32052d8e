import { type FromWorker, transferablesOf } from '../src/protocol/messages.ts';
import { trustScriptsIn } from '../src/protocol/page/script-urls.ts';
import { createEngine, memoryBudget } from './engine/engine.ts';
import { loadFolder } from './engine/loading/load-model.ts';
import { createOperations } from './operations/operations.ts';
import { serveWorker } from './serving/serve.ts';

// The runtime starts a worker for each thread, from a script beside this one or in a configured folder.
trustScriptsIn(new URL('/', location.href).href);

/** `navigator.deviceMemory`, which TypeScript's library lacks. */
const { deviceMemory } = navigator as { readonly deviceMemory?: number };
const engine = createEngine(loadFolder, {
  memoryBudget: memoryBudget(deviceMemory),
  replaceWorker: () => self.postMessage({ type: 'replace' } satisfies FromWorker),
});

serveWorker(self, 'inference', createOperations(engine), { transferablesOf });
