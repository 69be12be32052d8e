import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEngineProxy } from '../../../../server/engine/engine-proxy.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.log('Skipped, certificates of an engine: there is no openssl to make one');

// It makes the certificate.
it.skipIf(!hasOpenssl)(
  'refuses an engine whose certificate nobody vouches for, before it sends the token',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lightwell-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-days', '1', '-nodes'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', cert, ...subject], {
      stdio: 'ignore',
    });
    let asked = 0;
    const engine = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
      asked += 1;
      response.end('{}');
    });
    const address = `https://localhost:${await portOf(engine)}`;
    const isAuthorized = async () => true;
    const local = createPlain(
      createEngineProxy({ engine: { address, models: ['base'], token: 'secret' }, isAuthorized }),
    );
    const url = `http://127.0.0.1:${await portOf(local)}/api/engine/v2`;
    const answer = await fetch(url, { headers: { 'lightwell-engine': address } });
    expect([answer.status, asked]).toEqual([502, 0]);
    expect((await answer.json()).error).toMatch(/certificate|self-signed/i);
    for (const server of [engine, local]) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true });
  },
);

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
