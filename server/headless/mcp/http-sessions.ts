import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Client } from '../../../src/client/client.ts';
import { createMcpServer } from './mcp-server.ts';

/** Sessions of agents that are held; the one that was opened first ends for one more. */
const MAX_SESSIONS = 64;

/**
 * The Model Context Protocol over Streamable HTTP: a session for each agent, and one server in each.
 *
 * @param clientOf  the client of a new session
 * @returns what answers a request, which must have been admitted before
 */
export function createMcpSessions(clientOf: () => Client) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        const [[oldest, ended] = []] = sessions;
        if (sessions.size <= MAX_SESSIONS || oldest === undefined) return;
        sessions.delete(oldest);
        void ended?.close();
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createMcpServer(clientOf()).connect(
      transport as Parameters<ReturnType<typeof createMcpServer>['connect']>[0],
    );
    return transport;
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return sendUnknownSession(response);
    await (known ?? (await open())).handleRequest(request, response);
  };
}

/** @source Model Context Protocol, revision 2025-06-18, Streamable HTTP, session management: 404 makes a client open a new session */
function sendUnknownSession(response: ServerResponse): void {
  const error = { code: -32_001, message: 'Mcp-Session-Id: expected that of an open session, got another' };
  response
    .writeHead(404, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
