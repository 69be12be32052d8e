import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { connectBidi, type Bidi } from './bidi.ts';
import type { Driver } from './driver.ts';
import { startProgram } from './program.ts';

/**
 * Firefox, driven over its own WebDriver BiDi socket.
 *
 * @source W3C WebDriver BiDi: `session.new`, `browsingContext.navigate`, `script.evaluate`
 */
export async function openFirefox(): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'lightwell-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const program = await startProgram('firefox-esr', args, { says: /WebDriver BiDi listening on (ws:\S+)/ });
  const socket = new WebSocket(`${program.said}/session`);
  await once(socket, 'open');
  const bidi = connectBidi(socket);
  const { capabilities } = await bidi.send('session.new', { capabilities: {} });
  const { contexts } = await bidi.send('browsingContext.getTree', {});
  const context = contexts[0]?.context ?? '';
  return {
    version: `Firefox ESR ${capabilities.browserVersion}`,
    open: async (url) => void (await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: (expression) => evaluate(bidi, context, expression),
    close: async () => {
      socket.close();
      await program.stop();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

async function evaluate(bidi: Bidi, context: string, expression: string): Promise<string> {
  const given = await bidi.send('script.evaluate', { expression, target: { context }, awaitPromise: true });
  if (given.type !== 'success') throw new Error(given.exceptionDetails.text);
  return given.result.value;
}
