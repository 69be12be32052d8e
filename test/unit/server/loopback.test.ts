import { describe, expect, it } from 'vitest';
import { isLoopback, urlOf } from '../../../server/origins.ts';

describe('isLoopback', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]', '0:0:0:0:0:0:0:1'])(
    'takes %s',
    (host) => expect(isLoopback(host)).toBe(true),
  );

  it.each(['0.0.0.0', '::', '192.168.1.2', '128.0.0.1', '127.1', 'localhost.evil.example', 'evil.example', '', '[]'])(
    'refuses "%s"',
    (host) => expect(isLoopback(host)).toBe(false),
  );
});

describe('urlOf', () => {
  it.each([
    ['127.0.0.1', 'http://localhost:80/'],
    ['localhost', 'http://localhost:80/'],
    ['127.0.0.2', 'http://127.0.0.2:80/'],
    ['::1', 'http://[::1]:80/'],
  ])('is, of %s, %s', (host, url) => expect(urlOf(host, 80)).toBe(url));
});
