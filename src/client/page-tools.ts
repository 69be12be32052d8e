import { messageOf } from '../contract/failure.ts';
import type { ServiceSettings } from '../contract/settings.ts';
import { type Connection, createClient } from './client.ts';
import { callTool, createTools } from './tools.ts';

/** A tool of a page. `execute` gets a signal since Chromium 153. */
interface PageTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean };
  execute(input: Readonly<Record<string, unknown>>, options?: { readonly signal?: AbortSignal }): Promise<object>;
}

/** Where a browser takes the tools of a page: `document.modelContext`. @source W3C Community Group draft, WebMCP */
export interface ModelContext {
  /** Until the signal is aborted. Rejects for a tool that the browser does not take. */
  registerTool(tool: PageTool, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** What agents of the browser did with the tools. */
export interface ToolUse {
  /** Since the page was opened. */
  readonly calls: number;
  /** Why the browser does not take the tools; null: it does, or they are not offered. */
  readonly problem: string | null;
}

/** Offers the tools of `lightwell mcp` to agents of the browser while `agentTools` is true; then calls are aborted. */
export function offerTools(
  context: ModelContext,
  connection: Connection,
  settings: { get(): ServiceSettings; subscribe(listener: (settings: ServiceSettings) => void): unknown },
  onUse: (use: ToolUse) => void,
): void {
  let offer: AbortController | null = null;
  let calls = 0;
  const client = createClient(connection);
  const register = async (signal: AbortSignal) => {
    const document = await connection.fetch(new Request(`${connection.baseUrl}/openapi.json`));
    const registered = Object.entries(createTools(await document.json())).map(([name, tool]) => {
      const { description, inputSchema } = tool;
      const execute: PageTool['execute'] = (input, { signal: ended = signal } = {}) => {
        onUse({ calls: ++calls, problem: null });
        return callTool(tool, input, client, { signal: AbortSignal.any([signal, ended]) });
      };
      const annotations = { readOnlyHint: true };
      return context.registerTool({ name, description, inputSchema, annotations, execute }, { signal });
    });
    await Promise.all(registered);
  };
  const follow = ({ agentTools }: ServiceSettings) => {
    if (agentTools === (offer !== null)) return;
    offer?.abort();
    offer = agentTools ? new AbortController() : null;
    onUse({ calls, problem: null });
    const signal = offer?.signal;
    if (signal) register(signal).catch((error) => signal.aborted || onUse({ calls, problem: messageOf(error) }));
  };
  onUse({ calls, problem: null });
  follow(settings.get());
  settings.subscribe(follow);
}
