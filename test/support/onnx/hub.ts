import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { brokenFolders } from '../files/broken-folders.ts';
import { visionFolder } from '../files/vision-folder.ts';

/** Headers of the hub's own file servers, as far as a browser needs them. */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

const ADDRESS = /^\/([\w-]+)\/([\w.-]+)\/resolve\/main\/([\w./-]+)$/;
/** Connections outlive the longest pause of a test: one that is closed while it is used again fails its request. */
const server = createServer({ keepAliveTimeout: 600_000 });

/**
 * Starts a local stand-in for the hub: `/<owner>/<name>/resolve/main/<file>` gives the file of `public/models/<name>`,
 * of the vision-language model that tests make for the name `vision`, or of a folder that is made for the owner `made`; the owner `slow` never finishes a model file. Global set-up of the golden tests, which read its address as `hub`.
 */
export function setup(project: TestProject): Promise<void> {
  const models = join(project.config.root, 'public/models');
  const vision = visionFolder();
  const made = brokenFolders();
  server.on('request', (request, response) => {
    const [, owner = '', name = '', file = ''] = ADDRESS.exec(request.url ?? '') ?? [];
    const bytes = (owner === 'made' ? made.get(name) : name === 'vision' ? vision : undefined)?.get(file);
    if (bytes) return void response.writeHead(200, { ...HEADERS, 'Content-Length': bytes.length }).end(bytes);
    const path = join(models, name, file);
    if (!path.startsWith(models) || file === '' || !existsSync(path)) return respondMissing(response);
    const { size } = statSync(path);
    response.writeHead(200, { ...HEADERS, 'Content-Length': size });
    if (owner === 'slow' && file.endsWith('.onnx')) return void response.write(new Uint8Array(1000));
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      project.provide('hub', `http://127.0.0.1:${portOf(server.address())}`);
      resolve();
    });
  });
}

/** Ends it, unfinished answers included. */
export function teardown(): void {
  server.closeAllConnections();
  server.close();
}

function respondMissing(response: ServerResponse): void {
  response.writeHead(404, HEADERS).end('Entry not found');
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly hub: string;
  }
}
