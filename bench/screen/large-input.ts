import type { Browser, Page } from 'playwright';
import type { startServer as Serve } from '../../server/serve.ts';
import { openApp, type Rows } from '../app.ts';
import { tasksDuring } from './tasks-during.ts';

/** Characters of each text and body. */
const CHARACTERS = 60_000_000;

/** Bodies of that length, as JSON; each is made where it is sent from. */
const BODIES: Readonly<Record<string, { readonly path: string; readonly make: (characters: number) => string }>> = {
  'a text as a prompt': {
    path: '/embed',
    make: (characters) => JSON.stringify({ model: 'lightwell-base', prompt: 'word '.repeat(characters / 5) }),
  },
  'a file in base64': {
    path: '/qa',
    make: (characters) => JSON.stringify({ query: 'Who?', documents: [{ docx: 'UEsD'.repeat(characters / 4) }] }),
  },
  'token ids': {
    path: '/embed',
    make: (characters) => {
      const data = Array.from({ length: characters / 6 }, (_, i) => 10_000 + (i % 10_000));
      return JSON.stringify({ model: 'lightwell-base', prompt: [{ type: 'token_ids', data }] });
    },
  },
  'JSON without its end': {
    path: '/embed',
    make: (characters) => `{"model":"lightwell-base","prompt":"${'word '.repeat(characters / 5)}`,
  },
  'a text and values, as many as are read': {
    path: '/embed',
    make: () => {
      const controls = Array.from({ length: 24_000 }, (_, start) => ({ start, length: 1, factor: 0.5 }));
      const data = 'Übermut — '.repeat(600_000);
      return JSON.stringify({ model: 'lightwell-base', prompt: [{ type: 'text', data, controls }] });
    },
  },
};

/** How a body reaches the page, given its path; answers with the status. */
type Way = (path: string) => Promise<number>;

/**
 * Longest tasks of the main thread while a long text is pasted into the page, and while long bodies are answered. What
 * the sender does to make and to encode a body is not the page's work, so it is done before.
 */
export async function largeInput(browser: Browser, serve: typeof Serve): Promise<Rows> {
  const server = await serve({ port: 0 });
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  try {
    await openApp(page, server.url);
    return [await paste(page), ...(await bodies(page, server.url))];
  } finally {
    await context.close();
    await server.close();
  }
}

async function paste(page: Page) {
  await page.evaluate((characters) => navigator.clipboard.writeText('word '.repeat(characters / 5)), CHARACTERS);
  await page.getByTestId('prompt').click();
  const longest = await longestTask(page, async () => {
    await page.keyboard.press('Control+V');
    await page.getByRole('alert').filter({ hasText: 'characters' }).waitFor();
  });
  return { way: 'pasted', what: 'a text', status: '', ...longest };
}

async function bodies(page: Page, url: string): Promise<Rows> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const token = await page.evaluate(() => lightwell.token);
  const rows: Record<string, string | number>[] = [];
  for (const [what, { path, make }] of Object.entries(BODIES)) {
    // Made there: a body of this length would take long to reach the page.
    const staged = await page.evaluateHandle(make, CHARACTERS);
    await page.evaluate(
      (text) => Object.assign(globalThis, { staged: text, stagedBlob: new Blob([text]) }) && null,
      staged,
    );
    await staged.dispose();
    const body = make(CHARACTERS);
    for (const [way, send] of Object.entries(waysOf(page, { url, token, body }))) {
      let status = 0;
      const longest = await longestTask(page, async () => (status = await send(path)));
      rows.push({ way, what, status, ...longest });
    }
  }
  return rows;
}

function waysOf(
  page: Page,
  { url, token, body }: { url: string; token: string; body: string },
): Readonly<Record<string, Way>> {
  const headers = { Authorization: `Bearer ${token}` };
  return {
    'service.fetch': (path) =>
      page.evaluate(
        async ([to, given]) => {
          const text = String(Reflect.get(globalThis, 'staged'));
          return (await lightwell.fetch(to, { method: 'POST', headers: given, body: text })).status;
        },
        [path, headers] as const,
      ),
    'service worker': (path) =>
      page.evaluate(
        async ([to, given]) => {
          const blob: Blob = Reflect.get(globalThis, 'stagedBlob');
          return (await fetch(`api${to}`, { method: 'POST', headers: given, body: blob })).status;
        },
        [path, headers] as const,
      ),
    'local server': async (path) => (await fetch(new URL(`api${path}`, url), { method: 'POST', headers, body })).status,
  };
}

/** Time for what the page does after it has answered, such as collecting rubbish. */
const AFTER_MS = 300;

async function longestTask(page: Page, act: () => Promise<unknown>) {
  await page.waitForTimeout(AFTER_MS);
  const [longest = { cpuMs: 0, wallMs: 0 }] = await tasksDuring(page, async () => {
    await act();
    await page.waitForTimeout(AFTER_MS);
  });
  return { longestCpuMs: longest.cpuMs, itsWallMs: longest.wallMs };
}
