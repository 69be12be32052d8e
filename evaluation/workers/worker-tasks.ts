/** What a worker answers with. */
type Reply<Output> = { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly message: string };

/** A worker that is asked one thing at a time. */
export interface TaskWorker<Input, Output> {
  /** @throws {Error} with the worker's own words */
  ask(input: Input, transfer?: Transferable[]): Promise<Output>;
  end(): void;
}

/** The page's side of a worker that calls `answerTasks` with functions of the same types. */
export function createTaskWorker<Input, Output>(worker: Worker): TaskWorker<Input, Output> {
  return {
    ask: (input, transfer = []) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Reply<Output>>) =>
          data.ok ? resolve(data.value) : reject(new Error(data.message));
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(input, transfer);
      }),
    end: () => worker.terminate(),
  };
}

/** The worker's side. */
export function answerTasks<Input, Output>(work: (input: Input) => Promise<Output>): void {
  self.onmessage = async ({ data }: MessageEvent<Input>) => {
    const reply = await work(data).then(
      (value): Reply<Output> => ({ ok: true, value }),
      (error): Reply<Output> => ({ ok: false, message: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
    self.postMessage(reply);
  };
}
