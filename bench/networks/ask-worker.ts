/** Asks a worker that `answerWith` of `library.ts` serves, one question at a time. */
export function askWorker<Asked, Told>(worker: Worker): (asked: Asked) => Promise<Told> {
  return (asked) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data.ok ? resolve(data.value) : reject(new Error(data.message)));
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(asked);
    });
}
