import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a host is this machine and reachable from no other: `localhost`, 127.0.0.0/8 or ::1.
 *
 * @param host  a name or an address without port; an IPv6 address may stand in brackets, as in a URL
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** The address of a page at `host`: `http://localhost:5448/` for 127.0.0.1, the address itself for another one. */
export function urlOf(host: string, port: number): string {
  if (host === '127.0.0.1') return `http://localhost:${port}/`;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`;
}
