import { openRawAttention, type AttentionTask, type RawAttention } from './raw-attention.ts';
import { answerTasks } from './worker-tasks.ts';
import { trustScriptsIn } from '../../src/protocol/page/script-urls.ts';
import { loadFiles } from '../../workers/engine/loading/model-files.ts';
import { browserRuntime } from '../../workers/engine/session/browser-runtime.ts';

// ONNX Runtime starts a worker for each thread.
trustScriptsIn(new URL('/', location.href).href);

let opened: Promise<RawAttention> | undefined;

answerTasks(async ({ model, ...task }: AttentionTask) => {
  opened ??= loadFiles(model, () => undefined).then((folder) => openRawAttention(browserRuntime(), folder));
  return (await opened).attentionTo(task);
});
