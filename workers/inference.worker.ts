import { createEngine } from './engine/engine.ts';
import { loadFolder } from './engine/loading/load-model.ts';
import { createOperations } from './operations/operations.ts';
import { holdLifeLock } from './life.ts';
import { serve } from './serve.ts';

const provide = createEngine(loadFolder);

serve(
  self,
  createOperations((wanted, context) => provide(wanted, context.progress)),
);
holdLifeLock(self, navigator.locks);
