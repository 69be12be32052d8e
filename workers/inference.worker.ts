import { trustScriptsIn } from '../src/protocol/page/script-urls.ts';
import { createEngine } from './engine/engine.ts';
import { roomOf } from './engine/device/room.ts';
import { loadFolder } from './engine/loading/load-model.ts';
import { createOperations } from './operations/operations.ts';
import { failOnUnreadable, holdLifeLock } from './serving/life.ts';
import { serve } from './serving/serve.ts';
import { tellRequests } from './serving/tell-requests.ts';

// The runtime starts a worker for each thread, from a script beside this one or in a folder that was asked for.
trustScriptsIn(new URL('/', location.href).href);

/** `navigator.deviceMemory`, which TypeScript's library lacks. */
const { deviceMemory } = navigator as { readonly deviceMemory?: number };
const engine = createEngine(loadFolder, { room: roomOf(deviceMemory) });

serve(
  self,
  createOperations({
    lend: (wanted, context, task) => engine.lend(wanted, context.progress, task),
    unload: engine.unload,
  }),
);
holdLifeLock(self, navigator.locks);
failOnUnreadable(self);
tellRequests(self, 'models');
