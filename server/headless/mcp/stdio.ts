import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from '../../../src/client/client.ts';
import { createServices, type ServicesOptions } from '../model-services.ts';
import { createMcpServer } from './mcp-server.ts';

/**
 * Serves the Model Context Protocol on standard input and output until the input ends. Messages for people go to standard error.
 *
 * @returns whether a model was being loaded at the end
 * @throws as `createServices` does
 */
export async function serveStdio(options: ServicesOptions): Promise<{ readonly isLoading: boolean }> {
  const services = await createServices(options);
  const [service] = services;
  if (service === undefined) throw new RangeError('workers: expected at least one, got none');
  let isLoading = true;
  const loaded = () => void (isLoading = false);
  service.ready.then(loaded, loaded);
  const server = createMcpServer(createClient(service));
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  service.dispose();
  return { isLoading };
}
