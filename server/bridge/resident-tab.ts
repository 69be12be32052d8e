import { createResponder } from '../../src/bridge/responder.ts';
import type { Presence, ToTab } from '../../src/protocol/frames/frames.ts';
import type { Service } from '../../src/service/service.ts';
import { createTab, type Tab, TABS_LIMITS } from './tabs.ts';

/** A service of this process, as the bridge sees a tab. @param tokenHash  `hashOfToken` of its token */
export function residentTab(service: Service, tokenHash: string): Tab {
  const { timeoutMs, allowedOrigins } = service.settings.get();
  const presence: Presence = { type: 'presence', attention: 'hidden', allowedOrigins, timeoutMs, tokenHash };
  const socket = {
    bufferedAmount: 0,
    send(text: string, onWritten: () => void) {
      // Not at once: a reply may come only after `request` has returned, as through a socket.
      setImmediate(() => {
        responder.receive(JSON.parse(text) as ToTab); // `createTab` has written it
        onWritten();
      });
    },
  };
  const { tab, receive } = createTab(socket, presence, TABS_LIMITS);
  const responder = createResponder(service, service.baseUrl, {
    post: (frame) => void (frame.type !== 'presence' && receive(frame)),
    cut: (reason) => console.error(reason),
  });
  return tab;
}
