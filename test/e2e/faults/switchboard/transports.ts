import { isFailing } from './board.ts';

const open = new Set<WebSocket>();

/** Sockets that were opened and not closed. */
export function openSockets(): number {
  return open.size;
}

/** The socket to the local server, and the ports to the service worker. */
export function watchTransports(): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      if (isFailing('socket: does not open')) throw new DOMException('Sockets are not allowed.', 'SecurityError');
      super(url, protocols);
      this.addEventListener('open', () => open.add(this));
      this.addEventListener('close', () => open.delete(this));
      this.addEventListener('message', (event) => {
        if (!isFailing('socket: lost at a frame')) return;
        event.stopImmediatePropagation();
        this.close();
      });
    }

    override send(data: string): void {
      if (isFailing('socket: send throws')) throw new DOMException('The socket is not open.', 'InvalidStateError');
      if (isFailing('socket: lost at a frame')) return this.close();
      super.send(data);
    }
  };
  const { postMessage } = MessagePort.prototype;
  Reflect.set(MessagePort.prototype, 'postMessage', function (this: MessagePort, ...given: unknown[]) {
    if (isFrame(given[0]) && isFailing('port to service worker: send throws'))
      throw new DOMException('It could not be cloned.', 'DataCloneError');
    Reflect.apply(postMessage, this, given);
  });
}

/** Other ports of a page, such as those of React's scheduler, carry no frames. */
function isFrame(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message;
}
