import { FailureError } from '../src/contract/failure.ts';
import { VERSION } from '../src/contract/description/version.ts';
import { openInBrowser } from './command-line/open-browser.ts';
import { readCommandLine, USAGE, type Command } from './command-line/options.ts';
import { exportEngine } from './export/export-engine.ts';
import { ExportError } from './export/export-error.ts';
import { verify } from './command-line/verify.ts';
import { serve } from './serve.ts';

/** The program behind `npx lightwell` and `npm start`: `npm run build` bundles it with all that it needs. */
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
  case 'serve':
    await serveUntilStopped(command);
}

/** Serves until Ctrl-C. */
async function serveUntilStopped({
  port,
  host,
  models,
  engine,
  opensBrowser,
}: Extract<Command, { kind: 'serve' }>): Promise<void> {
  const { url, close } = await serve({ port, host, models, engine }).catch((error: unknown) =>
    giveUp(reasonOf(error, host, port)),
  );
  console.log(`Lightwell: ${url}  (Ctrl-C stops it)`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close().then(() => process.exit(0)));
  if (opensBrowser) openInBrowser(url);
}

/** Writes a model for inference servers, and says what was written. */
async function exportTo(options: Extract<Command, { kind: 'export' }>): Promise<void> {
  try {
    const { name, digest, files } = await exportEngine(options);
    console.log(`${options.out}: ${files.length} files of ${name}, SHA-256 ${digest}. README.md says how to start it.`);
  } catch (error) {
    if (!(error instanceof ExportError || error instanceof FailureError)) throw error;
    giveUp(error.message);
  }
}

/** An address that cannot be listened on is said plainly; anything else is a defect, and thrown. */
function reasonOf(error: unknown, host: string, port: number): string {
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
