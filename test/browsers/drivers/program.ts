import { spawn } from 'node:child_process';

/** A program that runs until it is stopped. */
export interface Program {
  /** The first group of the pattern that was waited for. */
  readonly said: string;
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>;
}

/** How a program is started. */
export interface ProgramOptions {
  /** What it prints once it is ready; without it nothing is waited for. */
  readonly says?: RegExp;
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a program and waits until it says that it is ready.
 *
 * @throws {Error} when it cannot be started, or ends before, with all that it printed
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { says = /()/, env = {} }: ProgramOptions = {},
): Promise<Program> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill()); // nothing is left behind by a run that fails before it stops its programs
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = () => {
    child.kill();
    return ended;
  };
  let printed = '';
  const said = await new Promise<string>((resolve, reject) => {
    const listen = (data: unknown) => {
      printed += String(data);
      const match = says.exec(printed);
      if (match) resolve(match[1] ?? '');
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('spawn', () => listen(''));
    child.once('close', (status) => reject(new Error(`${command} ended with status ${status}: ${printed}`)));
  });
  return { said, stop };
}
