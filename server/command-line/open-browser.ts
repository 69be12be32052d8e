import { spawn } from 'node:child_process';

/** Opens an address in the user's browser; where there is none, the printed address must do. */
export function openInBrowser(address: string): void {
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
