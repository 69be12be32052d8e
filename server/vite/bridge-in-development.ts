import type { Plugin } from 'vite';
import { BRIDGE_ANNOUNCEMENT, BRIDGE_PATH } from '../../src/protocol/frames/line.ts';
import { createBridge, isApi } from '../bridge/bridge.ts';

/** The server's bridge in the development server: `/api` works while a tab of it is open. */
export function bridgeInDevelopment(): Plugin {
  return {
    name: 'lightwell:bridge-in-development',
    configureServer(server) {
      const { middlewares, httpServer } = server;
      if (httpServer === null) return; // it is part of another server, which has the sockets
      const bridge = createBridge({ pageUrl: () => server.resolvedUrls?.local[0] ?? 'the page' }); // known once it listens
      middlewares.use((request, response, next) => {
        if (isApi(request.url ?? '')) return bridge.answer(request, response);
        response.setHeader('Server-Timing', BRIDGE_ANNOUNCEMENT);
        next();
      });
      // Hot reload has a socket of its own on the same server.
      httpServer.on('upgrade', (request, socket, head) => {
        if (request.url === BRIDGE_PATH) bridge.upgrade(request, socket, head);
      });
      httpServer.on('close', bridge.close);
    },
  };
}
