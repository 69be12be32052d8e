import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CONTENT_SECURITY_POLICY_IN_PAGE,
  headersOfFile,
  DOWNLOADS_WORKER_HEADERS,
  PAGE_HEADERS,
} from '../../../../src/protocol/page/headers.ts';

const read = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const exists = (name: string): boolean => existsSync(new URL(`../../../../${name}`, import.meta.url));
const dockerfile = read('Dockerfile');
const nginx = read('docs/deploy/nginx.conf');

/** The image is not built by any test; this is what can be seen without it. */
describe('the Dockerfile', () => {
  it('copies files that there are, and that it does not leave out', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(copies.length).toBeGreaterThan(3);
    expect(copies.filter((name) => !exists(name))).toEqual([]);
    const leftOut = new Set(read('.dockerignore').split('\n'));
    const needed = [...copies, 'index.html', 'vite.config.ts', 'tsconfig.json', 'src', 'workers', 'server', 'public'];
    expect(needed.filter((name) => leftOut.has(name))).toEqual([]);
  });

  it('does not serve as root, and can be asked how it is', () => {
    expect(dockerfile).toMatch(/^FROM nginxinc\/nginx-unprivileged:/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*http:\/\/127\.0\.0\.1:8080\//m);
    expect(nginx).toContain('listen 8080;');
  });
});

describe('the headers of a page', () => {
  it.each(["frame-ancestors 'none'", "require-trusted-types-for 'script'", "object-src 'none'", "connect-src 'self'"])(
    'keep %s',
    (directive) => expect(PAGE_HEADERS['Content-Security-Policy']?.split('; ')).toContain(directive),
  );

  it('let nobody evaluate text', () => expect(Object.values(PAGE_HEADERS).join()).not.toMatch(/'unsafe-eval'/));

  it('are all in the page that a browser reads from a page', () => {
    const inHeader = PAGE_HEADERS['Content-Security-Policy']?.split('; ');
    expect(inHeader?.filter((each) => !CONTENT_SECURITY_POLICY_IN_PAGE.split('; ').includes(each))).toEqual([
      "frame-ancestors 'none'",
    ]);
  });
});

describe('the worker that fetches models', () => {
  it('alone may ask hubs: over TLS, or on this machine', () => {
    expect(headersOfFile('/assets/downloads.worker-C0ffee_-.js')).toBe(DOWNLOADS_WORKER_HEADERS);
    expect(headersOfFile('https://a.example/app/assets/downloads.worker-C0ffee.js')).toBe(DOWNLOADS_WORKER_HEADERS);
    for (const path of ['/assets/inference.worker-C0ffee.js', '/downloads.worker.js', '/', '/index.html', ''])
      expect(headersOfFile(path)).toBe(PAGE_HEADERS);
  });

  it('differs from all other files in what it may ask, and in nothing else', () => {
    const policyOf = (headers: typeof PAGE_HEADERS) => headers['Content-Security-Policy']?.split('; ') ?? [];
    const own = policyOf(DOWNLOADS_WORKER_HEADERS).filter((each) => !policyOf(PAGE_HEADERS).includes(each));
    expect(own).toEqual(["connect-src 'self' https: http://localhost:* http://127.0.0.1:*"]);
    expect({ ...DOWNLOADS_WORKER_HEADERS, 'Content-Security-Policy': '' }).toEqual({
      ...PAGE_HEADERS,
      'Content-Security-Policy': '',
    });
  });
});

describe('the configuration of nginx', () => {
  const POLICY = 'Content-Security-Policy';

  it.each(Object.entries(PAGE_HEADERS).filter(([name]) => name !== POLICY))(
    'sends %s as our own server does',
    (name, value) => expect(nginx).toContain(`add_header ${name} "${value}" always;`),
  );

  it('sends the policy as our own server does, and that of the worker that fetches models', () => {
    expect(nginx).toContain(`default "${PAGE_HEADERS[POLICY]}";`);
    expect(nginx).toContain(`~/downloads\\.worker-[\\w-]+\\.js$ "${DOWNLOADS_WORKER_HEADERS[POLICY]}";`);
    expect(nginx).toContain('add_header Content-Security-Policy $policy always;');
  });
});
