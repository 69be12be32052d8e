import type { WebSocket } from 'ws';

/** The commands that are sent here: what each takes, and what of its result is read. */
interface Commands {
  'session.new': {
    params: { capabilities: object };
    result: { readonly capabilities: { readonly browserVersion: string } };
  };
  'browsingContext.getTree': { params: object; result: { readonly contexts: readonly { readonly context: string }[] } };
  'browsingContext.navigate': { params: { context: string; url: string; wait: 'complete' }; result: object };
  'script.evaluate': {
    params: { expression: string; target: { context: string }; awaitPromise: true };
    result:
      | { readonly type: 'success'; readonly result: { readonly value: string } }
      | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } };
  };
}

/** A message from the browser: an answer carries the id of its command. */
type Message =
  | { readonly type: 'success'; readonly id: number; readonly result: object }
  | { readonly type: 'error'; readonly id: number | null; readonly error: string; readonly message: string }
  | { readonly type: 'event' };

/** A session of WebDriver BiDi. */
export interface Bidi {
  /** @throws {Error} with the browser's own words when the command fails or the socket closes before its answer */
  send<Name extends keyof Commands>(name: Name, params: Commands[Name]['params']): Promise<Commands[Name]['result']>;
}

/**
 * Sends commands over an open socket and gives each its answer.
 *
 * @source W3C WebDriver BiDi, section 3, "Protocol"
 */
export function connectBidi(socket: WebSocket): Bidi {
  const waiting = new Map<number, { resolve(result: object): void; reject(reason: Error): void }>();
  let sent = 0;
  socket.on('message', (data) => {
    const message: Message = JSON.parse(String(data));
    if (message.type === 'event' || message.id === null) return;
    const command = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'success') command?.resolve(message.result);
    else command?.reject(new Error(`${message.error}: ${message.message}`));
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser closed its WebDriver socket'));
  });
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        const id = sent++;
        waiting.set(id, { resolve: resolve as (result: object) => void, reject }); // the result has this command's id
        socket.send(JSON.stringify({ id, method, params }));
      }),
  };
}
