import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../server/serve.ts';

let servers: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map(({ close }) => close()));
  servers = [];
});

describe('serve', () => {
  it('listens on any loopback address, and its page may call it there', async () => {
    const server = await startServer({ port: 0, host: '127.0.0.2' });
    servers.push(server);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/$/);
    expect((await fetch(new URL('/api/embed', server.url))).status).toBe(503); // no tab, and no barrier
  });

  it.each(['0.0.0.0', '192.168.1.2', 'example.org'])('refuses %s', async (host) =>
    expect(startServer({ port: 0, host })).rejects.toThrow(`host: expected a loopback address, got "${host}"`),
  );

  it('rejects when its port is taken', async () => {
    const first = await startServer({ port: 0 });
    servers.push(first);
    await expect(startServer({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
