import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { CallOptions, Client } from '../../../src/client/client.ts';
import { VERSION } from '../../../src/contract/description/version.ts';
import type { Progress } from '../../../src/contract/progress.ts';
import { createTools, type Tool } from './tools.ts';

/**
 * A server of the Model Context Protocol: the tools of `createTools`. Progress is sent to callers who ask for it, and a request
 * that is cancelled ends its work.
 *
 * @source Model Context Protocol, revision 2025-06-18: tools, progress, cancellation
 */
export function createMcpServer(client: Client): Server {
  const tools = createTools();
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

/** Answers a call: the operation's response, or its failure in words. */
async function callTool(
  { inputSchema, defaults, call }: Tool,
  given: Readonly<Record<string, unknown>>,
  client: Client,
  options: CallOptions,
): Promise<CallToolResult> {
  const body = { ...defaults, ...given };
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(inputSchema.properties, name));
  const missing = inputSchema.required.find((name) => !Object.hasOwn(body, name));
  if (unknown !== undefined) return refusal(`expected ${namesOf(inputSchema.properties)}, got "${unknown}"`);
  if (missing !== undefined) return refusal(`${missing}: expected a value, got none`);
  const answer = await call(client, body, options);
  if (!answer.ok) return refusal(`${answer.problem.code}: ${answer.problem.message}`);
  return { content: [{ type: 'text', text: JSON.stringify(answer.value) }], structuredContent: { ...answer.value } };
}

function refusal(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

function namesOf(table: object): string {
  return Object.keys(table).join(', ');
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
