import { ENGINE_MODEL, TOKEN_FORMAT } from '../src/contract/wire/engine.ts';
import { isLoopback, urlOf } from './origins.ts';
import { statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Where the engine is, which of its models may be asked for, and what opens it. */
export interface EngineConfig {
  /** Without a slash at the end. */
  readonly address: string;
  readonly models: readonly string[];
  /** Sent as a bearer token. Never logged, never sent to a page. */
  readonly token: string | undefined;
}

/** An OpenAI-compatible server; its address ends in `/v1`. */
export type UpstreamConfig = Pick<EngineConfig, 'address' | 'token'>;

/** Environment variables that hold secrets: a command line can be read by every user of a machine. */
export const [TOKEN_VARIABLE, KEY_VARIABLE] = ['LIGHTWELL_ENGINE_TOKEN', 'LIGHTWELL_UPSTREAM_KEY'] as const;

/** Reads what the command line and the environment say of an engine. @returns a sentence about what is wrong, or the options */
export function readEngineConfig(
  address: string,
  models: string | undefined,
  environment: NodeJS.ProcessEnv,
): EngineConfig | string {
  const found = addressed('--engine', address, TOKEN_VARIABLE, environment);
  if (typeof found === 'string') return found;
  const names = (models ?? '').split(',').filter((name) => name !== '');
  const wrong = names.find((name) => !ENGINE_MODEL.test(name));
  if (wrong !== undefined || names.length === 0)
    return `--engine-models: expected names of the engine's models, such as base,embed, got "${wrong ?? ''}"`;
  return { ...found, models: names };
}

/** Reads what the command line and the environment say of an OpenAI-compatible server. @returns as `readEngineConfig` */
function readUpstreamConfig(address: string, environment: NodeJS.ProcessEnv): UpstreamConfig | string {
  const found = addressed('--upstream', address, KEY_VARIABLE, environment);
  if (typeof found === 'string' || found.address.endsWith('/v1')) return found;
  return `--upstream: expected an address that ends in /v1, such as http://localhost:8000/v1, got "${address}"`;
}

function addressed(
  option: string,
  address: string,
  variable: string,
  environment: NodeJS.ProcessEnv,
): UpstreamConfig | string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return `${option}: expected an address such as https://engine.example, without a password, got "${address}"`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return `${option}: expected https, since prompts and the token cross a network, got "${address}"`;
  if (url.protocol === 'https:' && environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return 'NODE_TLS_REJECT_UNAUTHORIZED: expected it not to be 0, since certificates are checked; name yours in NODE_EXTRA_CA_CERTS';
  const token = environment[variable] || undefined;
  // A header with other characters would be refused by Node, with the token in the message.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    return `${variable}: expected visible ASCII characters without spaces, got others`;
  return { address: url.href.replace(/\/+$/, ''), token };
}

/** No common development server uses it, and systems do not assign it. */
const DEFAULT_PORT = 5448;

/** Environment variable with the token of `lightwell serve`, and the one that `verify` sends. */
const SERVER_TOKEN = 'LIGHTWELL_TOKEN';

const CORES = availableParallelism();

/** Each worker holds the models that it has run, with all of this package 1.4 GB; half of the memory is left to other programs. */
const WORKER_BYTES = 1.4e9;
const MAX_WORKERS = Math.max(1, Math.min(4, Math.floor(totalmem() / 2 / WORKER_BYTES)));
const MOST_WORKERS = 64;

/** A command line. */
export type Command =
  | {
      readonly kind: 'serve';
      readonly port: number;
      readonly host: string;
      /** Absolute path of a folder with models. */
      readonly models: string | undefined;
      readonly engine: EngineConfig | undefined;
      readonly upstream: UpstreamConfig | undefined;
      readonly opensBrowser: boolean;
    }
  | {
      readonly kind: 'headless';
      readonly port: number;
      readonly host: string;
      readonly models: string | undefined;
      /** undefined: a random one is made, and printed. */
      readonly token: string | undefined;
      readonly isBehindProxy: boolean;
      readonly settings: string | undefined;
      readonly workers: number;
      /** Of ONNX Runtime, in each worker. */
      readonly threads: number;
    }
  /** On standard input and output. */
  | { readonly kind: 'mcp'; readonly models: string | undefined; readonly threads: number }
  | { readonly kind: 'export'; readonly model: string; readonly out: string }
  | {
      readonly kind: 'verify';
      readonly file: string;
      /** Of the tab that answers. */
      readonly token: string;
      /** Such as `http://localhost:5448/api`. */
      readonly url: string;
    }
  /** A file of scores, as one of `RENDERINGS`. */
  | {
      readonly kind: 'render';
      readonly file: string;
      readonly rendering: (typeof RENDERINGS)[number];
      /** HTML that runs the element. */
      readonly isInteractive: boolean;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'refused'; readonly message: string };

const RENDERINGS = ['html', 'svg', 'png'] as const;

/** What `--help` prints. */
export const USAGE = `Usage: lightwell [options]        (in the repository: npm start -- [options])
       lightwell serve [options]            serves the API without a page, for programs
       lightwell mcp [--models DIR]         tools for agents: Model Context Protocol on standard input and output
       lightwell export-engine MODEL OUT   writes a model's folder for inference servers
       lightwell verify RECORD.json --token TOKEN
       lightwell render SCORES.json --html [--interactive] | --svg | --png
                                            prints the heat map of a record, or of another tool's scores, as one file

Serves the Lightwell page on this machine, and its API under /api and /v1 while a tab of it is open.

  --port N     port to listen on, 0 for any free one (default: environment variable PORT, else ${DEFAULT_PORT})
  --host H     address to listen on: localhost, 127.0.0.0/8 or ::1 (default: 127.0.0.1)
  --models DIR serve the models below this folder too: every folder with a config.json, in the hub's layout
  --engine URL let models run on an engine that speaks the Open Inference Protocol v2, where the page's settings
               allow it; its token: environment variable ${TOKEN_VARIABLE}
  --engine-models A,B   the engine's models that may be asked for
  --workers N  models run on N threads side by side (serve only; default: one for each core, up to ${MAX_WORKERS} with this memory)
  --settings FILE      settings as JSON, such as model aliases (serve only)
  --behind-tls-proxy   lets --host be an address that other machines reach (serve only): a proxy before this server must
               encrypt, and ${SERVER_TOKEN} must be set
  --upstream URL   let the page explain models of an OpenAI-compatible server, whose address ends in /v1, where its
               settings allow it; the key: environment variable ${KEY_VARIABLE}, which never leaves this server
  --open       open the page in a browser; --no-open does not (default: open, unless the environment has CI=1)
  --token T    of the open tab, from its Settings page: has that tab compute a saved record again, and compares (verify only)
  --help       print this
  --version    print the version`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  models: { type: 'string' },
  engine: { type: 'string' },
  'engine-models': { type: 'string' },
  workers: { type: 'string' },
  'behind-tls-proxy': { type: 'boolean' },
  settings: { type: 'string' },
  upstream: { type: 'string' },
  open: { type: 'boolean' },
  token: { type: 'string' },
  html: { type: 'boolean' },
  svg: { type: 'boolean' },
  png: { type: 'boolean' },
  interactive: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads the command line of `npx lightwell` and `npm start`. */
export function readCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  if (args[0] === EXPORT) return exportCommand(args.slice(1));
  const read = parsed(args);
  if (typeof read === 'string') return refused(read);
  const { positionals, values } = read;
  if (positionals[0] === 'mcp') return tools(positionals, values, environment);
  if (positionals[0] === 'serve') return headless(positionals, values, environment);
  if (positionals[0] === 'render') return rendering(positionals, values);
  if (values.workers !== undefined || values.settings !== undefined || values['behind-tls-proxy'])
    return refused('--workers, --settings, --behind-tls-proxy: expected together with "serve"');
  return positionals.length > 0 ? verifying(positionals, values, environment) : serving(values, environment);
}

type Values = ReturnType<typeof parseStrictly>['values'];

function tools([, extra]: readonly string[], values: Values, environment: NodeJS.ProcessEnv): Command {
  const option = Object.keys(values).find((name) => !['models', 'help', 'version'].includes(name));
  const wrong = option === undefined ? extra : `--${option}`;
  if (wrong !== undefined) return refused(`mcp: expected --models DIR or nothing, got "${wrong}"`);
  const served = serving(values, environment);
  return served.kind === 'serve' ? { kind: 'mcp', models: served.models, threads: CORES } : served;
}

function headless([, extra]: readonly string[], values: Values, environment: NodeJS.ProcessEnv): Command {
  const { host = '127.0.0.1', workers, settings, 'behind-tls-proxy': isBehindProxy = false, ...others } = values;
  const token = environment[SERVER_TOKEN] || undefined;
  if (extra !== undefined) return refused(`serve: expected options, got "${extra}"`);
  if (values.engine !== undefined) return refused('--engine: expected without "serve"');
  if (values.upstream !== undefined) return refused('--upstream: expected without "serve"');
  if (token !== undefined && !TOKEN_FORMAT.test(token))
    return refused(
      `${SERVER_TOKEN}: expected 64 hexadecimal digits in lower case, as "openssl rand -hex 32" makes them`,
    );
  if (!isLoopback(host) && (!isBehindProxy || token === undefined))
    return refused(
      `--host: expected --behind-tls-proxy and ${SERVER_TOKEN} for an address that other machines reach, got "${host}"`,
    );
  const count = workers === undefined ? Math.min(MAX_WORKERS, CORES) : Number(workers);
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS)
    return refused(`--workers: expected 1 to ${MOST_WORKERS}, got "${workers}"`);
  const served = serving({ ...others, open: false }, environment);
  if (served.kind !== 'serve') return served;
  const { port, models } = served;
  const threads = Math.max(1, Math.floor(CORES / count));
  return { kind: 'headless', port, host, models, token, settings, isBehindProxy, workers: count, threads };
}

function rendering([, file, ...more]: readonly string[], values: Values): Command {
  if (values.help) return { kind: 'help' };
  if (file === undefined || more.length > 0) return refused('render: expected one file');
  const wrong = Object.keys(values).find((name) => !['html', 'svg', 'png', 'interactive'].includes(name));
  if (wrong !== undefined) return refused(`render: expected --html, --svg or --png, got "--${wrong}"`);
  const [chosen, ...others] = RENDERINGS.filter((name) => values[name]);
  if (chosen === undefined || others.length > 0) return refused('render: expected one of --html, --svg and --png');
  const { interactive = false } = values;
  if (interactive && chosen !== 'html') return refused(`--interactive: expected --html with it, got "--${chosen}"`);
  return { kind: 'render', file: resolve(file), rendering: chosen, isInteractive: interactive };
}

function verifying(positionals: readonly string[], values: Values, environment: NodeJS.ProcessEnv): Command {
  const [name = '', file, ...more] = positionals;
  if (name !== 'verify') return refused(`expected "verify" or an option, got "${name}"`);
  if (file === undefined || more.length > 0) return refused('verify: expected one file');
  const { token = environment[SERVER_TOKEN], ...others } = values;
  if (!token) return refused('verify: expected --token, or the environment variable LIGHTWELL_TOKEN');
  const server = serving(others, environment);
  if (server.kind !== 'serve') return server;
  return { kind: 'verify', file: resolve(file), token, url: `${urlOf(server.host, server.port)}api` };
}

function serving(read: Values, environment: NodeJS.ProcessEnv): Command {
  if (read.token !== undefined) return refused('--token: expected together with "verify"');
  if (read.html || read.svg || read.png || read.interactive)
    return refused('--html, --svg, --png, --interactive: expected together with "render"');
  if (read.help) return { kind: 'help' };
  if (read.version) return { kind: 'version' };
  const { host = '127.0.0.1', open = environment.CI !== '1' } = read;
  if (!isLoopback(host)) return refused(`--host: expected localhost, 127.0.0.0/8 or ::1, got "${host}"`);
  const [source, text] =
    read.port === undefined ? ['PORT', environment.PORT || String(DEFAULT_PORT)] : ['--port', read.port];
  const port = portOf(text);
  if (port === undefined) return refused(`${source}: expected 0 to 65535, got "${text}"`);
  const models = read.models === undefined ? undefined : resolve(read.models);
  if (models !== undefined && !statSync(models, { throwIfNoEntry: false })?.isDirectory())
    return refused(`--models: expected a folder, got "${read.models}"`);
  const engine = engineOf(read, environment);
  if (typeof engine === 'string') return refused(engine);
  const upstream = read.upstream === undefined ? undefined : readUpstreamConfig(read.upstream, environment);
  if (typeof upstream === 'string') return refused(upstream);
  return { kind: 'serve', port, host, models, engine, upstream, opensBrowser: open };
}

const EXPORT = 'export-engine';

function exportCommand([model, out, ...more]: readonly string[]): Command {
  if (model === undefined || out === undefined || more.length > 0 || model.startsWith('-'))
    return refused(`${EXPORT}: expected MODEL and OUT`);
  return { kind: 'export', model: resolve(model), out: resolve(out) };
}

function engineOf(
  { engine, 'engine-models': models }: Values,
  environment: NodeJS.ProcessEnv,
): EngineConfig | string | undefined {
  if (engine !== undefined) return readEngineConfig(engine, models, environment);
  return models === undefined ? undefined : '--engine-models: expected --engine with it';
}

function parsed(args: readonly string[]): ReturnType<typeof parseStrictly> | string {
  try {
    return parseStrictly(args);
  } catch (error) {
    // Node says which option it does not know, or which value is missing; the usage says the rest.
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
      return error.message.split('. ', 1).join();
    throw error;
  }
}

function parseStrictly(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowNegative: true, allowPositionals: true });
}

function portOf(text: string): number | undefined {
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65_535 ? port : undefined;
}

function refused(reason: string): Command {
  return { kind: 'refused', message: `${reason}\n\n${USAGE}` };
}
