import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommandLine, USAGE } from '../../../server/options.ts';

const read = (line: string, environment: Record<string, string> = {}) =>
  readCommandLine(line === '' ? [] : line.split(' '), environment);

const TOKEN = '0f'.repeat(32);

describe('the command line', () => {
  it('needs no option', () =>
    expect(read('')).toEqual({ kind: 'serve', port: 5448, host: '127.0.0.1', opensBrowser: true }));

  it.each([
    ['--port 0', {}, { port: 0 }],
    ['--port=65535', { PORT: '1' }, { port: 65_535 }],
    ['', { PORT: '8080' }, { port: 8080 }],
    ['', { PORT: '' }, { port: 5448 }],
    ['--host ::1', {}, { host: '::1' }],
    ['', { CI: '1' }, { opensBrowser: false }],
    ['--open', { CI: '1' }, { opensBrowser: true }],
    ['--no-open', {}, { opensBrowser: false }],
    ['--models test/unit', {}, { models: resolve('test/unit') }],
    [
      '--upstream https://models.example/v1/',
      { LIGHTWELL_UPSTREAM_KEY: 'sk-1' },
      { upstream: { address: 'https://models.example/v1', token: 'sk-1' } },
    ],
    [
      '--upstream http://localhost:8000/v1',
      {},
      { upstream: { address: 'http://localhost:8000/v1', token: undefined } },
    ],
  ])('reads "%s" with %o', (line, environment, expected) =>
    expect(read(line, environment)).toMatchObject({ kind: 'serve', ...expected }),
  );

  it.each([
    ['serve', {}, { port: 5448, host: '127.0.0.1', token: undefined, isBehindProxy: false }],
    ['serve --port 81 --workers 3', { LIGHTWELL_TOKEN: TOKEN }, { port: 81, workers: 3, token: TOKEN }],
    ['serve --host 10.0.0.1 --behind-tls-proxy', { LIGHTWELL_TOKEN: TOKEN }, { host: '10.0.0.1', isBehindProxy: true }],
    ['serve --models test/unit', {}, { models: resolve('test/unit') }],
    ['serve --settings a.json', {}, { settings: 'a.json' }],
  ])('reads "%s" with %o, without a page', (line, environment, expected) =>
    expect(read(line, environment)).toMatchObject({ kind: 'headless', ...expected }),
  );

  it('reads what serves agents', () => {
    const models = resolve('test/unit');
    expect(read('mcp --models test/unit')).toEqual({ kind: 'mcp', models, threads: availableParallelism() });
    expect(read('mcp --help')).toEqual({ kind: 'help' });
  });

  it('shares the cores between the workers', () => {
    const command = read('serve --workers 1');
    expect(command).toMatchObject({ workers: 1, threads: availableParallelism() });
  });

  it('reads what is to be verified, and through which server', () => {
    const found = { kind: 'verify', file: resolve('a.json'), token: 't', url: 'http://localhost:5448/api' };
    expect(read('verify a.json --token t')).toEqual(found);
    expect(read('verify a.json', { LIGHTWELL_TOKEN: 't' })).toEqual(found);
    expect(read('render a.json --svg')).toEqual({
      kind: 'render',
      file: resolve('a.json'),
      rendering: 'svg',
      isInteractive: false,
    });
    expect(read('render a.json --html --interactive')).toMatchObject({ rendering: 'html', isInteractive: true });
    expect(read('verify a.json --token t --port 81')).toMatchObject({ url: 'http://localhost:81/api' });
  });

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--port x --help', 'help'],
    ['--version', 'version'],
  ])('reads "%s"', (line, kind) => expect(read(line)).toEqual({ kind }));

  it.each([
    ['--host 0.0.0.0', {}, '--host: expected localhost, 127.0.0.0/8 or ::1, got "0.0.0.0"'],
    ['--host example.org', {}, 'got "example.org"'],
    ['--settings a.json', {}, '--workers, --settings, --behind-tls-proxy: expected together with "serve"'],
    ['serve --host 10.0.0.1', { LIGHTWELL_TOKEN: TOKEN }, '--host: expected --behind-tls-proxy and LIGHTWELL_TOKEN'],
    ['serve --host 10.0.0.1 --behind-tls-proxy', {}, '--host: expected --behind-tls-proxy and LIGHTWELL_TOKEN'],
    ['serve', { LIGHTWELL_TOKEN: 'secret' }, 'LIGHTWELL_TOKEN: expected 64 hexadecimal digits'],
    ['serve --workers 0', {}, '--workers: expected 1 to 64, got "0"'],
    ['serve --workers', {}, '--workers'],
    ['serve it', {}, 'serve: expected options, got "it"'],
    ['serve --engine https://example.org', {}, '--engine: expected without "serve"'],
    ['mcp it', {}, 'mcp: expected --models DIR or nothing, got "it"'],
    ['mcp --port 81', {}, 'mcp: expected --models DIR or nothing, got "--port"'],
    ['serve --upstream https://example.org/v1', {}, '--upstream: expected without "serve"'],
    ['--upstream https://models.example', {}, '--upstream: expected an address that ends in /v1'],
    ['--upstream http://models.example/v1', {}, '--upstream: expected https'],
    ['--upstream https://u:p@models.example/v1', {}, '--upstream: expected an address such as'],
    ['--upstream https://models.example/v1?key=1', {}, '--upstream: expected an address such as'],
    ['--upstream http://localhost/v1', { LIGHTWELL_UPSTREAM_KEY: 'a b' }, 'LIGHTWELL_UPSTREAM_KEY: expected visible'],
    ['--workers 2', {}, 'expected together with "serve"'],
    ['--port 65536', {}, '--port: expected 0 to 65535, got "65536"'],
    ['--port 1e3', {}, 'got "1e3"'],
    ['prove a.json', {}, 'expected "verify" or an option, got "prove"'],
    ['verify --token t', {}, 'verify: expected one file'],
    ['verify a.json b.json --token t', {}, 'verify: expected one file'],
    ['verify a.json', {}, 'verify: expected --token'],
    ['--token t', {}, '--token: expected together with "verify"'],
    ['render --html', {}, 'render: expected one file'],
    ['render a.json', {}, 'render: expected one of --html, --svg and --png'],
    ['render a.json --html --svg', {}, 'render: expected one of --html, --svg and --png'],
    ['render a.json --png --interactive', {}, '--interactive: expected --html with it, got "--png"'],
    ['render a.json --svg --port 1', {}, 'render: expected --html, --svg or --png, got "--port"'],
    ['--svg', {}, '--html, --svg, --png, --interactive: expected together with "render"'],
    ['--port -1', {}, '--port'],
    ['--port', {}, '--port'],
    ['', { PORT: 'x' }, 'PORT: expected 0 to 65535, got "x"'],
    ['--prot 1', {}, "'--prot'"],
    ['dist', {}, '"dist"'],
    ['--models', {}, '--models'],
    ['--models no/such', {}, '--models: expected a folder, got "no/such"'],
    ['--models package.json', {}, '--models: expected a folder, got "package.json"'],
  ])('refuses "%s" with %o, and says what is expected', (line, environment, reason) => {
    const command = read(line, environment);
    expect(command).toEqual({ kind: 'refused', message: expect.stringContaining(reason) });
    expect(command).toEqual({ kind: 'refused', message: expect.stringContaining(USAGE) });
  });
});
