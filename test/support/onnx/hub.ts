import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { visionFolder } from '../files/vision-folder.ts';

/** Headers of the hub's own file servers, as far as a browser needs them. */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

const ADDRESS = /^\/([\w-]+)\/([\w.-]+)\/resolve\/main\/([\w./-]+)$/;
const server = createServer();

/**
 * Starts a local stand-in for the hub: `/<owner>/<name>/resolve/main/<file>` gives the file of `public/models/<name>`,
 * or of the vision-language model that tests make for the name `vision`; the owner `slow` never finishes a model file. Global set-up of the golden tests, which read its address as `hub`.
 */
export function setup(project: TestProject): Promise<void> {
  const models = join(project.config.root, 'public/models');
  const vision = visionFolder();
  server.on('request', (request, response) => {
    const [, owner = '', name = '', file = ''] = ADDRESS.exec(request.url ?? '') ?? [];
    const made = name === 'vision' ? vision.get(file) : undefined;
    if (made) return void response.writeHead(200, { ...HEADERS, 'Content-Length': made.length }).end(made);
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
