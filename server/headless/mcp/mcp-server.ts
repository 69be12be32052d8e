import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '../../../src/client/client.ts';
import { callTool, createTools, namesOf } from '../../../src/client/tools.ts';
import { openApiDocument } from '../../../src/contract/description/openapi.ts';
import { VERSION } from '../../../src/contract/description/version.ts';
import type { Progress } from '../../../src/contract/progress.ts';

/**
 * A server of the Model Context Protocol: the tools of `createTools`. Progress is sent to callers who ask for it, and a request
 * that is cancelled ends its work.
 *
 * @source Model Context Protocol, revision 2025-06-18: tools, progress, cancellation
 */
export function createMcpServer(client: Client): Server {
  const tools = createTools(openApiDocument());
  const server = new Server({ name: 'lightwell', version: VERSION }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const { name, arguments: given = {}, _meta: meta } = params;
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `expected ${namesOf(tools)}, got "${name}"`);
    const token = meta?.progressToken;
    const onProgress = createProgress((progress, total) => {
      if (token === undefined) return;
      const notice = { progressToken: token, progress, total };
      // A caller that has left gets none; the signal ends its work.
      sendNotification({ method: 'notifications/progress', params: notice }).catch(() => undefined);
    });
    return callTool(tool, given, client, { signal, ...(token !== undefined && { onProgress }) });
  });
  return server;
}

/** Passes on the progress of the work itself, which may only increase: that of downloads counts in another unit. */
function createProgress(send: (progress: number, total: number) => void): (progress: Progress) => void {
  let last = -1;
  return ({ phase, done, total }) => {
    if (phase !== 'run' || done <= last) return;
    last = done;
    send(done, total);
  };
}
