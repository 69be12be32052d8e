import { readRecord, TOLERANCE_NATS, type Verification, verifyRecord } from '../src/client/record.ts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FailureError } from '../src/contract/failure.ts';
import { createClient } from '../src/client/client.ts';
import { VERSION } from '../src/contract/description/version.ts';
import { readCommandLine, USAGE, type Command } from './options.ts';
import { exportEngine, ExportError } from './export/export-engine.ts';
import { startServer, type RunningServer } from './serve.ts';
import { SITE } from './site/static-files.ts';
import { readServerSettings } from './headless/settings-file.ts';
import { startHeadless } from './headless/headless-server.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof SIGNALS)[number];

type CommandOf<Kind> = Extract<Command, { readonly kind: Kind }>;

// The program of `npx lightwell` and `npm start`; `npm run build` bundles it with all that it needs.
const command = readCommandLine(process.argv.slice(2), process.env);
switch (command.kind) {
  case 'help':
    console.log(USAGE);
    break;
  case 'version':
    console.log(VERSION);
    break;
  case 'refused':
    giveUp(command.message);
  // giveUp ends the process
  case 'export':
    await exportTo(command);
    break;
  case 'verify': {
    const { text, holds } = await verify(command);
    console.log(text);
    process.exitCode = holds ? 0 : 1;
    break;
  }
  case 'render':
    await render(command);
    break;
  case 'headless':
    await serveHeadless(command);
    break;
  case 'mcp': {
    const { serveStdio } = await import('./headless/mcp/stdio.ts');
    const { isLoading } = await serveStdio({ ...command, token: randomBytes(32).toString('hex'), workers: 1 });
    if (isLoading) endBy('SIGTERM');
    break;
  }
  case 'serve': {
    const url = await untilStopped(startServer(command), command);
    console.log(introduction(url));
    if (command.opensBrowser) openInBrowser(url);
  }
}

/** Waits for a server until Ctrl-C. @param end  called with the signal @returns its address, which is printed */
async function untilStopped(
  starting: Promise<RunningServer>,
  at: { host: string; port: number },
  end: (signal: Signal) => void = () => process.exit(0),
): Promise<string> {
  const { url, close } = await starting.catch((error: unknown) => giveUp(reasonOf(error, at)));
  console.log(`Lightwell: ${url}  (Ctrl-C stops it)`);
  for (const signal of SIGNALS) process.once(signal, () => void close().then(() => end(signal)));
  return url;
}

/** Ends this process as a signal without a listener does; `process.exit` would wait for WebAssembly's compilation. */
function endBy(signal: Signal): void {
  process.kill(process.pid, signal);
}

/** Serves the API without a page. A token that was made here is printed: no other place has it. */
async function serveHeadless({ token: given, settings: file, ...options }: CommandOf<'headless'>): Promise<void> {
  const token = given ?? randomBytes(32).toString('hex');
  const starting = async () =>
    startHeadless({ ...options, token, ...(file && { settings: readServerSettings(file) }) });
  await untilStopped(starting(), options, endBy);
  if (given === undefined) console.log(`Token: ${token}`);
}

/** What `npm start` prints after the address: what matters. */
function introduction(url: string): string {
  return [
    'Type a prompt and press Ask: the model answers, and colours show which words lead to the answer.',
    'Everything runs in your browser; after the first visit it works without a network.',
    'The models are small: they read and copy from the prompt, and know almost nothing about the world.',
    `Programs call the API at ${url}api while a tab is open; the API page has the token. Options: --help.`,
  ].join('\n');
}

/** Writes a model for inference servers, and prints what was written. */
async function exportTo(options: CommandOf<'export'>): Promise<void> {
  try {
    const { name, digest, files } = await exportEngine(options);
    console.log(`${options.out}: ${files.length} files of ${name}, SHA-256 ${digest}. README.md says how to start it.`);
  } catch (error) {
    if (!(error instanceof ExportError || error instanceof FailureError)) throw error;
    giveUp(error.message);
  }
}

/** The reason for people why an address cannot be listened on, or settings cannot be used; other errors are defects, and thrown. */
function reasonOf(error: unknown, { host, port }: { readonly host: string; readonly port: number }): string {
  if (error instanceof FailureError) return error.message;
  if (!(error instanceof Error && 'code' in error)) throw error;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken. Stop what runs there, or choose another: --port N, or --port 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Choose one above 1023: --port N.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another: --host 127.0.0.1.`;
    default:
      throw error;
  }
}

function giveUp(message: string): never {
  console.error(`\n${message}`);
  process.exit(1);
}

interface Verdict {
  readonly text: string;
  readonly holds: boolean;
}

/** Has an open tab compute a record's explanation again. */
async function verify({ file, token, url }: CommandOf<'verify'>): Promise<Verdict> {
  const client = createClient({ fetch, baseUrl: url, token });
  try {
    const record = readRecord(readFileSync(file, 'utf8'));
    const answer = await verifyRecord(record, { client });
    if (answer.ok) return verdictOf(file, answer.value);
    const { status, code, message } = answer.problem;
    return { text: `${file}: the service answered ${status} ${code}: ${message}`, holds: false };
  } catch (error) {
    return { text: `${file}: ${verifyProblem(error, url)}`, holds: false };
  }
}

function verdictOf(file: string, { largest, scores, recorded, recomputed, holds }: Verification): Verdict {
  const models =
    recorded === recomputed ? `by ${recorded}` : `recorded by ${recorded}, computed again by ${recomputed}`;
  if (largest === null) return { text: `${file}: differs: the sections are others (${models})`, holds };
  const difference = `largest difference ${largest.toExponential(1)} nats of ${scores} scores, ${TOLERANCE_NATS} allowed`;
  return { text: `${file}: ${holds ? 'holds' : 'differs'}: ${difference} (${models})`, holds };
}

function verifyProblem(error: unknown, url: string): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` says only that it failed.
  return error instanceof TypeError ? `no server answers at ${url}; start one with lightwell` : error.message;
}

async function render({ file, rendering, isInteractive }: CommandOf<'render'>): Promise<void> {
  const { interactiveHtml, scoresHtml, scoresSvg } = await import('./render/render-scores.ts');
  const { drawPng, DrawingError } = await import('./render/draw-png.ts');
  const draw = {
    html: (value: unknown) =>
      isInteractive ? interactiveHtml(value, readFileSync(join(SITE, 'heat-map.js'), 'utf8')) : scoresHtml(value),
    svg: scoresSvg,
    png: (value: unknown) => drawPng((module) => scoresHtml(value, module)),
  }[rendering];
  try {
    process.stdout.write(draw(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    if (error instanceof DrawingError) giveUp(error.message);
    const isOfFile =
      error instanceof RangeError || error instanceof SyntaxError || (error instanceof Error && 'code' in error);
    if (!isOfFile) throw error;
    giveUp(`${file}: ${error.message}`);
  }
}

function openInBrowser(address: string): void {
  const [command, ...args] = openCommand(address);
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => console.log(`No browser could be opened from here; open ${address} yourself.`))
    .unref();
}

function openCommand(address: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '', address];
  return ['xdg-open', address];
}
