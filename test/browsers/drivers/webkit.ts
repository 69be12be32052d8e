import { once } from 'node:events';
import { createServer } from 'node:net';
import { vi } from 'vitest';
import { connectWebDriver } from './classic.ts';
import type { Driver } from './driver.ts';
import { startProgram } from './program.ts';

/** No window is seen; without a display WebKitGTK opens none. */
const SCREEN = ['-screen', '0', '1280x800x24', '-nolisten', 'tcp'];

/** WebKitGTK's own small browser, on a display of its own, driven over classic WebDriver: it speaks no BiDi. */
export async function openWebkit(): Promise<Driver> {
  const display = await startProgram('Xvfb', ['-displayfd', '1', ...SCREEN], { says: /^(\d+)$/m });
  const port = await freePort();
  const program = await startProgram('WebKitWebDriver', [`--port=${port}`], { env: { DISPLAY: `:${display.said}` } });
  const address = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${address}/status`), { timeout: 60_000 }); // the driver does not say when it is ready
  const session = await connectWebDriver(address);
  return {
    version: `WebKitGTK ${session.browserVersion}`,
    open: session.open,
    evaluate: session.evaluate,
    close: async () => {
      await session.close();
      await program.stop();
      await display.stop();
    },
  };
}

/** A port that nothing listens on: the driver takes a number and does not choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}
